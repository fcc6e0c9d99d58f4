import { GraphQLError, GraphQLNonNull, GraphQLObjectType, GraphQLScalarType, GraphQLSchema } from 'graphql'
import type { IdType, TypedId } from 'typed-id'
import { createUser, findUser, UserId } from '../../users.ts'

/** Returns a scalar that accepts and returns the ids of a type, such as `UserId`. */
export const idScalar = <P extends string>(name: string, type: IdType<P>) =>
  new GraphQLScalarType<TypedId<P>, string>({
    name,
    description: `For example \`${type.example}\`. Pattern: \`${type.pattern}\``,
    // Throws a GraphQLError, because servers hide the message of any other error, and log it as a defect.
    coerceInputValue(value) {
      const { data, error } = type.safeParse(value)
      if (data) return data
      throw new GraphQLError(`${error?.message}`, { extensions: { code: 'BAD_USER_INPUT' } })
    },
    coerceOutputValue: type.parse,
  })

const id = { type: new GraphQLNonNull(idScalar('UserId', UserId)) }
const user = new GraphQLNonNull(new GraphQLObjectType({ name: 'User', fields: { id } }))

/** graphql-js does not infer the types of arguments, unlike Pothos. */
const query = new GraphQLObjectType({
  name: 'Query',
  fields: {
    user: { type: user, args: { id }, resolve: (_, args: { id: UserId }) => findUser(args.id) },
  },
})
const mutation = new GraphQLObjectType({
  name: 'Mutation',
  fields: { createUser: { type: user, resolve: createUser } },
})

export const schema = new GraphQLSchema({ query, mutation })
