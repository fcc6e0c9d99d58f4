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

const ROOT = join(import.meta.dirname, '..')

type Found = { id: unknown } | { error: string }
type Request = (
  path: string,
  init?: RequestInit,
) => Promise<Response> | Response

export interface Client {
  find(id: string): Promise<Found>
  create(): Promise<unknown>
  document(): Promise<string>
  close?(): Promise<unknown>
  request?: Request
}

export const OPEN = {
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
  mcp: async () =>
    createMcpClient((await import('./mcp/recipe.ts')).createServer()),
  async elysia() {
    const recipe = join(ROOT, 'frameworks/elysia/recipe.ts')
    const start = `import { app } from '${recipe}'; app.listen(0, ({ url }) => console.log(url.origin))`
    // Without `--no-install`, Bun would download missing packages instead of
    // failing.
    const args = ['--no-install', '--eval', start]
    const bun = spawn(join(ROOT, 'node_modules/.bin/bun'), args, {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(bun.stdout, 'data')
    return clientAt(String(line).trim(), async () => bun.kill())
  },
} satisfies Record<string, () => Promise<Client>>

/**
 * Compiles the recipe with SWC, because Node would remove the types of
 * decorated parameters, which NestJS reads at run time.
 */
async function openNestjs(): Promise<Client> {
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

function createHttpClient(
  request: Request,
  close?: () => Promise<unknown>,
): Client {
  // biome-ignore lint/suspicious/noExplicitAny: tests assert its shape.
  async function read(path: string, init?: RequestInit): Promise<any> {
    const response = await request(path, init)
    return response.ok
      ? response.json()
      : { error: `status ${response.status}` }
  }
  const headers = { 'content-type': 'application/json' }
  const post = { method: 'POST', headers, body: '{}' }
  return {
    find: async (user) => {
      const { id, error } = await read(`/users/${user}`)
      return error ? { error } : { id }
    },
    create: async () => (await read('/users', post)).id,
    async document() {
      const { paths } = await read('/openapi.json')
      const { parameters } = paths['/users/{user_id}'].get
      return JSON.stringify(
        parameters.find(
          (one: { name: string; in: string }) =>
            one.name === 'user_id' && one.in === 'path',
        ).schema,
      )
    },
    request,
    ...(close && { close }),
  }
}

async function createMcpClient(server: McpServer): Promise<Client> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new McpClient({ name: 'matrix', version: '1.0.0' })
  await server.connect(theirs)
  await client.connect(ours)

  async function call(name: string, input = {}): Promise<Found> {
    const { content, isError } = await client.callTool({
      name,
      arguments: input,
    })
    const [{ text }] = content as [{ text: string }]
    return isError
      ? { error: text.match(/error -\d+/)?.[0] ?? text }
      : JSON.parse(text)
  }

  return {
    find: (user_id) => call('find_user', { user_id }),
    create: async () => Object.values(await call('create_user'))[0],
    async document() {
      const { tools } = await client.listTools()
      const tool = tools.find(({ name }) => name === 'find_user')
      return JSON.stringify(tool?.inputSchema.properties?.user_id)
    },
    close: () => client.close(),
  }
}
