/*
 * Runs one `next build`: of a route handler on the edge runtime, to which it
 * sends a request, and of a page for each program. The size of a program is the
 * size of the files that its page loads in addition to an empty page.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { compareSizes, FILES, sizeOf } from './programs.mjs'

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
for (const [name, code] of Object.entries({
  ...FILES,
  empty: 'globalThis.result = 0',
})) {
  mkdirSync(`${project}app/${name}`, { recursive: true })
  writeFileSync(`${project}app/${name}/program.js`, code)
  writeFileSync(
    `${project}app/${name}/page.js`,
    "'use client'\nimport './program.js'\nexport default () => 'x'\n",
  )
}
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
const downloadOf = (name) => {
  const html = readFileSync(`${project}.next/server/app/${name}.html`, 'utf8')
  const files = [...new Set(html.match(/static\/chunks\/[^"\\]+\.js/g))]
  return files.reduce(
    (sum, file) => sum + sizeOf(readFileSync(`${project}.next/${file}`)),
    0,
  )
}
const sizes = Object.fromEntries(
  Object.keys(FILES).map((name) => [
    name,
    downloadOf(name) - downloadOf('empty'),
  ]),
)
const compared = compareSizes('Turbopack', sizes)

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
    const { passed, failed } = await (await fetch(url)).json()
    const result = {
      passed: passed + compared.passed,
      failed: [...failed, ...compared.failed],
    }
    console.log(JSON.stringify({ ...result, rows: compared.rows }))
    break
  }
} finally {
  server.kill()
}
