import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createRequire } from 'node:module'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Client as McpClient } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { type GraphQLSchema, printSchema } from 'graphql'
import { createYoga } from 'graphql-yoga'

const ROOT = join(import.meta.dirname, '..')

export interface Client {
  /**
   * Requests the user with an id. Returns the id in the response, or a
   * description of the error.
   */
  find(id: string): Promise<{ id: unknown } | { error: string }>
  create(): Promise<unknown>
  /** Returns the part of the generated document that describes the id. */
  document(): Promise<string>
  close?(): Promise<unknown>
  request?(path: string, init?: RequestInit): Response | Promise<Response>
}

/**
 * Functions that start a recipe and return its client, by the folder of the
 * recipe. Each function imports its recipe when it is called.
 */
export const OPEN: Record<string, () => Promise<Client>> = {
  async hono() {
    const { app } = await import('./hono/recipe.ts')
    return createHttpClient((path, init) => app.request(path, init))
  },
  async fastify() {
    const app = await (await import('./fastify/recipe.ts')).createApp()
    return clientAt(await app.listen({ port: 0 }), () => app.close())
  },
  async express() {
    const { app } = await import('./express/recipe.ts')
    const server = createServer(app).listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    return clientAt(`http://localhost:${port}`, async () => server.close())
  },
  nestjs: openNestjs,
  async trpc() {
    const { createDocument, handle } = await import('./trpc/recipe.ts')
    return createHttpClient((path, init) =>
      path === '/openapi.json'
        ? Response.json(createDocument())
        : handle(new Request(`http://localhost${path}`, init)),
    )
  },
  graphql: async () =>
    createGraphqlClient((await import('./graphql/recipe.ts')).schema),
  mcp: async () =>
    createMcpClient((await import('./mcp/recipe.ts')).createServer()),
  /** Runs the recipe on Bun. The script prints its origin when it listens. */
  async elysia() {
    const recipe = join(ROOT, 'frameworks/elysia/recipe.ts')
    const start = `import { app } from '${recipe}'; app.listen(0, ({ url }) => console.log(url.origin))`
    // Without `--no-install`, Bun would download a package that is not
    // installed.
    const bun = spawn(
      join(ROOT, 'node_modules/.bin/bun'),
      ['--no-install', '--eval', start],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    const [line] = await once(bun.stdout, 'data')
    return clientAt(String(line).trim(), async () => bun.kill())
  },
}

/**
 * Opens the recipe for NestJS. SWC, a dependency of Next, compiles it, because
 * Node would strip the types of decorated parameters, which Nest needs.
 */
export async function openNestjs(): Promise<Client> {
  const folder = join(ROOT, 'frameworks/nestjs')
  const compiled = join(folder, 'generated/recipe.mjs')
  const { loadBindings, transform } = createRequire(import.meta.url)(
    'next/dist/build/swc',
  )
  await loadBindings()
  const jsc = {
    parser: { syntax: 'typescript', decorators: true },
    target: 'es2022',
    transform: { legacyDecorator: true, decoratorMetadata: true },
  }
  const { code } = await transform(
    readFileSync(join(folder, 'recipe.ts'), 'utf8'),
    { filename: 'recipe.ts', jsc, module: { type: 'es6' } },
  )
  mkdirSync(join(folder, 'generated'), { recursive: true })
  writeFileSync(compiled, code)
  const app = await (await import(compiled)).createApp()
  await app.listen(0)
  return clientAt(await app.getUrl(), () => app.close())
}

const clientAt = (origin: string, close: () => Promise<unknown>): Client =>
  createHttpClient((path, init) => fetch(origin + path, init), close)

const JSON_BODY = { 'content-type': 'application/json' }

interface Document {
  paths: Record<
    string,
    { get: { parameters: { name: string; schema: unknown }[] } }
  >
}

function createHttpClient(
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
      const response = await request('/users', {
        method: 'POST',
        headers: JSON_BODY,
        body: '{}',
      })
      return ((await response.json()) as { id: unknown }).id
    },
    async document() {
      const { paths } = (await (
        await request('/openapi.json')
      ).json()) as Document
      const parameters = paths['/users/{user_id}']?.get.parameters
      return JSON.stringify(
        parameters?.find(({ name }) => name === 'user_id')?.schema,
      )
    },
    request,
    ...(close && { close }),
  }
}

interface Result {
  data?: { user?: { id: unknown }; createUser?: { id: unknown } } | null
  errors?: { extensions: { code: string } }[]
}

function createGraphqlClient(schema: GraphQLSchema): Client {
  const yoga = createYoga({ schema, logging: false })
  async function send(
    query: string,
    variables = {},
  ): Promise<{ status: number } & Result> {
    const response = await yoga.fetch('http://localhost/graphql', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/graphql-response+json',
      },
      body: JSON.stringify({ query, variables }),
    })
    return { status: response.status, ...((await response.json()) as Result) }
  }

  return {
    async find(id) {
      const { data, errors, status } = await send(
        'query ($id: UserId!) { user(id: $id) { id } }',
        { id },
      )
      return data
        ? { id: data.user?.id }
        : { error: `status ${status} ${errors?.[0]?.extensions.code}` }
    },
    create: async () =>
      (await send('mutation { createUser { id } }')).data?.createUser?.id,
    document: async () =>
      printSchema(schema).match(/"""([^"]+)"""\nscalar UserId/)?.[1] ?? '',
  }
}

async function createMcpClient(server: McpServer): Promise<Client> {
  const [clientTransport, serverTransport] =
    InMemoryTransport.createLinkedPair()
  const client = new McpClient({ name: 'matrix', version: '1.0.0' })
  await server.connect(serverTransport)
  await client.connect(clientTransport)

  async function call(
    name: string,
    input = {},
  ): Promise<{ id: unknown } | { error: string }> {
    const result = (await client.callTool({
      name,
      arguments: input,
    })) as CallToolResult
    const [content] = result.content
    const text = content?.type === 'text' ? content.text : ''
    return result.isError
      ? { error: text.match(/error -\d+/)?.[0] ?? text }
      : JSON.parse(text)
  }

  return {
    find: (user_id) => call('find_user', { user_id }),
    create: async () => Object.values(await call('create_user'))[0],
    async document() {
      const { tools } = await client.listTools()
      return JSON.stringify(
        tools.find(({ name }) => name === 'find_user')?.inputSchema.properties
          ?.user_id,
      )
    },
    close: () => client.close(),
  }
}
