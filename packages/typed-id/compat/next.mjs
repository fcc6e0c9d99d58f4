/*
 * Builds a route handler for the edge runtime by `next build`, and sends a
 * request to it.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const project = fileURLToPath(new URL('../bundlers/', import.meta.url))
const env = {
  ...process.env,
  NEXT_TELEMETRY_DISABLED: '1',
  NODE_ENV: 'production',
}
const next = `${project}node_modules/next/dist/bin/next`

for (const name of ['typed-id', 'zod', 'kysely', 'drizzle-orm'])
  cpSync(`node_modules/${name}`, `${project}node_modules/${name}`, {
    recursive: true,
    force: true,
  })
mkdirSync(`${project}app`, { recursive: true })
for (const name of ['conformance.mjs', 'vectors.mjs'])
  cpSync(name, `${project}app/${name}`)
writeFileSync(`${project}next.config.mjs`, 'export default {}\n')
const layout =
  'export default ({ children }) => <html><body>{children}</body></html>\n'
writeFileSync(`${project}app/layout.js`, layout)
// `worker.mjs` exports an object with a `fetch` that responds with the result
// of the checks.
const worker = readFileSync('worker.mjs', 'utf8').replace(
  'export default',
  'const worker =',
)
writeFileSync(
  `${project}app/route.js`,
  `${worker}
export const runtime = 'edge'
export const GET = async () => (typeof EdgeRuntime === 'string' ? worker.fetch() : new Response('no edge runtime'))
`,
)

const built = spawnSync(process.execPath, [next, 'build'], {
  cwd: project,
  env,
  encoding: 'utf8',
})
if (built.status !== 0) throw new Error(built.stdout + built.stderr)
const server = spawn(process.execPath, [next, 'start', '--port', '0'], {
  cwd: project,
  env,
})
let output = ''
try {
  for await (const chunk of server.stdout) {
    output += chunk
    const url = /http:\/\/localhost:\d+/.exec(output)?.[0]
    if (!url || !output.includes('Ready')) continue
    console.log(await (await fetch(url)).text())
    break
  }
} finally {
  server.kill()
}
