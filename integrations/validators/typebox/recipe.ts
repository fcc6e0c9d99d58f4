import { Type } from 'typebox'
import { Value } from 'typebox/value'
import type { IdType, TypedId } from 'typed-id'
import { withJsonSchema } from 'typed-id/standard'
import { findUser, UserId } from '../../users.ts'

/** Gives the JSON Schema of the id a type, because a TypeBox schema is a JSON Schema with a type. */
export const idSchema = <P extends string>(type: IdType<P>) =>
  Type.Unsafe<TypedId<P>>(withJsonSchema(type)['~standard'].jsonSchema.output({ target: 'draft-2020-12' }))

const Body = Type.Object({ user_id: idSchema(UserId) })

export const find = (body: unknown) => findUser(Value.Parse(Body, body).user_id)
export const describe = () => Body
