import { toJsonSchema } from '@valibot/to-json-schema'
import { defineId, type IdType } from 'typed-id'
import * as v from 'valibot'

const UserId = defineId('user')

/** `pattern` documents the id. The guard makes the output an id. */
const idSchema = <P extends string>(type: IdType<P>) =>
  v.pipe(
    v.string(),
    v.regex(new RegExp(type.pattern)),
    v.examples([type.example]),
    v.guard(type.is),
  )

const Body = v.object({ user_id: idSchema(UserId) })

export const parse = (body: unknown) => v.parse(Body, body)
export const describe = () =>
  toJsonSchema(Body, { ignoreActions: ['guard'] })
