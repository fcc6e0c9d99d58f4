import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { defineId, type IdType, type TypedId } from 'typed-id'

const UserId = defineId('user')

const idSchema = <P extends string>({ pattern, example }: IdType<P>) =>
  Type.Unsafe<TypedId<P>>({
    type: 'string',
    pattern,
    examples: [example],
  })

const Body = Type.Object({ user_id: idSchema(UserId) })

export const parse = (body: unknown) => Value.Parse(Body, body)
export const describe = () => Body
