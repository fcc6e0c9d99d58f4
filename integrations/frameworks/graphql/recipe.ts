import * as g from 'graphql'
import { defineId, type IdOf } from 'typed-id'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

const findUser = (id: UserId) => ({ id }) // read your database here

function parseInput(value: unknown): UserId {
  const { data, error } = UserId.safeParse(value)
  if (data) return data
  // Servers hide the messages of other errors than GraphQLError.
  throw new g.GraphQLError(`${error?.message}`, {
    extensions: { code: 'BAD_USER_INPUT' },
  })
}

/**
 * Each function has two names: graphql 16 ignores those of 17, and 18
 * will ignore those of 16. A scalar without its functions accepts any
 * value.
 * `parseLiteral` calls `parseValue` by default, in all versions.
 */
const scalar = {
  name: 'UserId',
  description: `\`${UserId.example}\`. Pattern: \`${UserId.pattern}\``,
  parseValue: parseInput,
  serialize: UserId.parse,
  coerceInputValue: parseInput,
  coerceOutputValue: UserId.parse,
}

export const UserIdScalar = new g.GraphQLScalarType<UserId, string>(
  scalar,
)

const id = { type: new g.GraphQLNonNull(UserIdScalar) }
const user = new g.GraphQLNonNull(
  new g.GraphQLObjectType({ name: 'User', fields: { id } }),
)
const create = {
  type: user,
  resolve: () => ({ id: UserId.generate() }),
}

/** graphql-js does not infer the types of arguments. */
const find = {
  type: user,
  args: { id },
  resolve: (_: unknown, args: { id: UserId }) => findUser(args.id),
}

export const schema = new g.GraphQLSchema({
  query: new g.GraphQLObjectType({
    name: 'Query',
    fields: { user: find },
  }),
  mutation: new g.GraphQLObjectType({
    name: 'Mutation',
    fields: { createUser: create },
  }),
})
