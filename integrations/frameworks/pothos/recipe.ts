import SchemaBuilder from '@pothos/core'
import { GraphQLError } from 'graphql'
import { defineId, type IdOf } from 'typed-id'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

const findUser = (id: UserId) => ({ id }) // from your database

interface Types {
  Scalars: { UserId: { Input: UserId; Output: UserId } }
  Objects: { User: { id: UserId } }
}
const builder = new SchemaBuilder<Types>({})

builder.scalarType('UserId', {
  description: `\`${UserId.example}\`. Pattern: \`${UserId.pattern}\``,
  // Servers hide the messages of other errors than GraphQLError.
  parseValue(value) {
    const { data, error } = UserId.safeParse(value)
    if (data) return data
    throw new GraphQLError(`${error?.message}`, {
      extensions: { code: 'BAD_USER_INPUT' },
    })
  },
  serialize: UserId.parse,
})
builder.objectType('User', {
  fields: (t) => ({
    id: t.expose('id', { type: 'UserId', nullable: false }),
  }),
})
const id = { type: 'UserId', required: true } as const
builder.queryField('user', (t) =>
  t.field({
    type: 'User',
    args: { id: t.arg(id) },
    resolve: (_, args) => findUser(args.id),
  }),
)
builder.queryType()
builder.mutationType({
  fields: (t) => ({
    createUser: t.field({
      type: 'User',
      resolve: () => ({ id: UserId.generate() }),
    }),
  }),
})

export const schema = builder.toSchema()
