import { type Type, type } from 'arktype'
import { defineId, type IdType, type TypedId } from 'typed-id'

const UserId = defineId('user')

/** `type({ user_id: UserId })` also works, but has no JSON Schema. */
const idSchema = <P extends string>({ pattern, example }: IdType<P>) =>
  type(new RegExp(pattern)).configure({
    examples: [example],
  }) as Type as Type<TypedId<P>>

const Body = type({ user_id: idSchema(UserId) })

export const parse = (body: unknown) => Body.assert(body)
export const describe = () => Body.toJsonSchema()
