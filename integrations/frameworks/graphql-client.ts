import { type GraphQLSchema, printSchema } from 'graphql'
import { createYoga } from 'graphql-yoga'
import type { Client } from './client.ts'

interface Result {
  data?: { user?: { id: unknown }; createUser?: { id: unknown } } | null
}

/** Returns the client of a GraphQL schema, which GraphQL Yoga serves as GraphQL over HTTP. */
export function createGraphqlClient(schema: GraphQLSchema): Client {
  const yoga = createYoga({ schema, logging: false })
  async function send(query: string, variables = {}): Promise<{ status: number } & Result> {
    const response = await yoga.fetch('http://localhost/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/graphql-response+json' },
      body: JSON.stringify({ query, variables }),
    })
    return { status: response.status, ...((await response.json()) as Result) }
  }

  return {
    async find(id) {
      const { data, status } = await send('query ($id: UserId!) { user(id: $id) { id } }', { id })
      return data ? { id: data.user?.id } : { error: `status ${status}` }
    },
    create: async () => (await send('mutation { createUser { id } }')).data?.createUser?.id,
    // The description of a scalar stands before its declaration.
    document: async () => printSchema(schema).match(/"""([^"]+)"""\nscalar UserId/)?.[1] ?? '',
  }
}
