import SchemaBuilder from '@pothos/core'
import { createUser, findUser, type User, UserId } from '../../users.ts'
import { idScalar } from '../graphql/recipe.ts'

interface Types {
  Scalars: { UserId: { Input: UserId; Output: UserId } }
  Objects: { User: User }
}

const builder = new SchemaBuilder<Types>({})

/** The scalar is that of the recipe for graphql-js. Pothos infers the type of the argument from `Types`. */
builder.addScalarType('UserId', idScalar('UserId', UserId))

builder.objectType('User', { fields: (t) => ({ id: t.expose('id', { type: 'UserId', nullable: false }) }) })
builder.queryType({
  fields: (t) => ({
    user: t.field({
      type: 'User',
      args: { id: t.arg({ type: 'UserId', required: true }) },
      resolve: (_, { id }) => findUser(id),
    }),
  }),
})
builder.mutationType({ fields: (t) => ({ createUser: t.field({ type: 'User', resolve: createUser }) }) })

export const schema = builder.toSchema()
