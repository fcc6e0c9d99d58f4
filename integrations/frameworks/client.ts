import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type GraphQLSchema, printSchema } from 'graphql'
import { createYoga } from 'graphql-yoga'

/** The three operations of each recipe, as a client sees them. */
export interface Client {
  /** Requests the user with an id: returns the id in the response, or a description of the error. */
  find(id: string): Promise<{ id: unknown } | { error: string }>
  /** Creates a user, and returns the generated id. */
  create(): Promise<unknown>
  /** Returns the part of the generated document that describes the id. */
  document(): Promise<string>
  close?(): Promise<unknown>
}

const JSON_BODY = { 'content-type': 'application/json' }

interface Document {
  paths: Record<string, { get: { parameters: { name: string; schema: unknown }[] } }>
}

/** Returns the client of a recipe that serves HTTP. */
export function createHttpClient(
  request: (path: string, init?: RequestInit) => Response | Promise<Response>,
  close?: () => Promise<unknown>,
): Client {
  return {
    async find(id) {
      const response = await request(`/users/${id}`)
      return response.ok
        ? { id: ((await response.json()) as { id: unknown }).id }
        : { error: `status ${response.status}` }
    },
    async create() {
      const response = await request('/users', { method: 'POST', headers: JSON_BODY, body: '{}' })
      return ((await response.json()) as { id: unknown }).id
    },
    async document() {
      const { paths } = (await (await request('/openapi.json')).json()) as Document
      const parameters = paths['/users/{user_id}']?.get.parameters
      return JSON.stringify(parameters?.find(({ name }) => name === 'user_id')?.schema)
    },
    ...(close && { close }),
  }
}

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

/** Returns the client of an MCP server in the same process. */
export async function createMcpClient(server: McpServer): Promise<Client> {
  const [clientTransport, serverTransport] = InMemoryTransport.createLinkedPair()
  const client = new McpClient({ name: 'matrix', version: '1.0.0' })
  await server.connect(serverTransport)
  await client.connect(clientTransport)

  async function call(name: string, input = {}): Promise<{ id: unknown } | { error: string }> {
    const result = (await client.callTool({ name, arguments: input })) as CallToolResult
    const [content] = result.content
    const text = content?.type === 'text' ? content.text : ''
    return result.isError ? { error: text.match(/error -\d+/)?.[0] ?? text } : JSON.parse(text)
  }

  return {
    find: (user_id) => call('find_user', { user_id }),
    create: async () => Object.values(await call('create_user'))[0],
    async document() {
      const { tools } = await client.listTools()
      return JSON.stringify(tools.find(({ name }) => name === 'find_user')?.inputSchema.properties?.user_id)
    },
    close: () => client.close(),
  }
}
