import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type Client, createGraphqlClient, createHttpClient, createMcpClient } from './client.ts'

const ROOT = join(import.meta.dirname, '..')

/** Starts each recipe, by its folder, and returns its client. A recipe is imported only when it starts. */
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
  async nestjs() {
    const app = await (await import('./nestjs/recipe.ts')).createApp()
    await app.listen(0)
    return clientAt(await app.getUrl(), () => app.close())
  },
  async trpc() {
    const { createDocument, handle } = await import('./trpc/recipe.ts')
    return createHttpClient((path, init) =>
      path === '/openapi.json'
        ? Response.json(createDocument())
        : handle(new Request(`http://localhost${path}`, init)),
    )
  },
  graphql: async () => createGraphqlClient((await import('./graphql/recipe.ts')).schema),
  pothos: async () => createGraphqlClient((await import('./pothos/recipe.ts')).schema),
  mcp: async () => createMcpClient((await import('./mcp/recipe.ts')).createServer()),
  /** Runs the recipe on Bun, which prints the origin when it listens. */
  async elysia() {
    const recipe = join(ROOT, 'frameworks/elysia/recipe.ts')
    const start = `import { app } from '${recipe}'; app.listen(0, ({ url }) => console.log(url.origin))`
    // Without `--no-install`, Bun would download a package that is not installed.
    const bun = spawn(join(ROOT, 'node_modules/.bin/bun'), ['--no-install', '--eval', start], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [line] = await once(bun.stdout, 'data')
    return clientAt(String(line).trim(), async () => bun.kill())
  },
}

const clientAt = (origin: string, close: () => Promise<unknown>): Client =>
  createHttpClient((path, init) => fetch(origin + path, init), close)
