import { type Type, type } from 'arktype'
import type { IdType, TypedId } from 'typed-id'
import { findUser, UserId } from '../../users.ts'

/** ArkType also accepts `UserId` itself, a Standard Schema, with better messages, but with the JSON Schema `{}`. */
export const idSchema = <P extends string>({ pattern, example }: IdType<P>) =>
  type(new RegExp(pattern)).configure({ examples: [example] }) as Type as Type<TypedId<P>>

const Body = type({ user_id: idSchema(UserId) })

export const find = (body: unknown) => findUser(Body.assert(body).user_id)
export const describe = () => Body.toJsonSchema()
