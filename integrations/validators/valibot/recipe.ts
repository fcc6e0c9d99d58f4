import { toJsonSchema } from '@valibot/to-json-schema'
import type { IdType } from 'typed-id'
import * as v from 'valibot'
import { findUser, UserId } from '../../users.ts'

/** The regular expression documents the id, and the guard gives it the type of the id. */
export const idSchema = <P extends string>(type: IdType<P>) =>
  v.pipe(v.string(), v.regex(new RegExp(type.pattern)), v.examples([type.example]), v.guard(type.is))

const Body = v.object({ user_id: idSchema(UserId) })

export const find = (body: unknown) => findUser(v.parse(Body, body).user_id)
export const describe = () => toJsonSchema(Body, { ignoreActions: ['guard'] })
