/*
 * Runs the conformance checks on the host that the first argument names, and
 * prints their result.
 */
import { spawn, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const requireFrom = (folder) =>
  createRequire(new URL(`../${folder}/package.json`, import.meta.url))

const HOSTS = {
  async workerd() {
    const { Miniflare } = requireFrom('tools')('miniflare')
    const worker = new Miniflare({
      modules: true,
      scriptPath: 'worker.bundle.js',
      compatibilityDate: '2026-01-01',
    })
    const response = await worker.dispatchFetch('http://localhost/')
    const result = await response.json()
    await worker.dispose()
    return result
  },

  async chromium(executablePath) {
    const { chromium } = requireFrom('tools')('playwright-core')
    const browser = await chromium.launch({
      executablePath,
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-quic',
        '--no-first-run',
        '--disable-background-networking',
        '--disable-component-update',
        '--disable-sync',
      ],
    })
    const page = await browser.newPage()
    // localhost is a secure context. Any other page without https lacks
    // crypto.subtle, which `idFromName` needs.
    await page.route('http://localhost/', (route) =>
      route.fulfill({ contentType: 'text/html', body: '<!doctype html>' }),
    )
    await page.goto('http://localhost/')
    await page.addScriptTag({
      content: readFileSync('page.bundle.js', 'utf8'),
      type: 'module',
    })
    await page.waitForFunction('globalThis.result')
    const result = await page.evaluate('globalThis.result')
    await browser.close()
    return result
  },

  async vite() {
    const { build } = await import(
      '../bundlers/node_modules/vite/dist/node/index.js'
    )
    const { output } = await build({
      logLevel: 'error',
      build: {
        target: 'esnext',
        outDir: 'vite',
        rollupOptions: { input: 'page.mjs' },
      },
    })
    await import(`./vite/${output[0].fileName}`)
    return globalThis.result
  },

  async webpack() {
    const stats = await promisify(requireFrom('bundlers')('webpack'))({
      mode: 'production',
      target: ['web', 'es2022'],
      entry: './page.mjs',
      experiments: { outputModule: true },
      output: {
        path: `${import.meta.dirname}/webpack`,
        filename: 'page.mjs',
        module: true,
      },
    })
    if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
    await import('./webpack/page.mjs')
    return globalThis.result
  },

  /** A route handler on the edge runtime of Next, built by `next build`. */
  async next() {
    const project = fileURLToPath(new URL('../bundlers/', import.meta.url))
    const app = `${project}app/`
    const next = `${project}node_modules/next/dist/bin/next`
    const env = {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
    }
    for (const name of ['typed-id', 'zod', 'kysely', 'drizzle-orm'])
      cpSync(`node_modules/${name}`, `${project}node_modules/${name}`, {
        recursive: true,
        force: true,
      })
    mkdirSync(app, { recursive: true })
    for (const name of ['conformance.mjs', 'vectors.mjs'])
      cpSync(name, `${app}${name}`)
    writeFileSync(`${project}next.config.mjs`, 'export default {}\n')
    writeFileSync(
      `${app}layout.js`,
      'export default ({ children }) => <html><body>{children}</body></html>\n',
    )
    // `worker.mjs` exports an object with a `fetch` that responds with the
    // result of the checks.
    const worker = readFileSync('worker.mjs', 'utf8').replace(
      'export default',
      'const worker =',
    )
    writeFileSync(
      `${app}route.js`,
      `${worker}
export const runtime = 'edge'
export const GET = async () => (typeof EdgeRuntime === 'string' ? worker.fetch() : new Response('no edge runtime'))
`,
    )
    const options = { cwd: project, env, encoding: 'utf8' }
    const built = spawnSync(process.execPath, [next, 'build'], options)
    if (built.status !== 0) throw new Error(built.stdout + built.stderr)
    const args = [next, 'start', '--port', '0']
    const server = spawn(process.execPath, args, options)
    let output = ''
    try {
      for await (const chunk of server.stdout) {
        output += chunk
        const url = /http:\/\/localhost:\d+/.exec(output)?.[0]
        if (url && output.includes('Ready'))
          return await (await fetch(url)).json()
      }
    } finally {
      server.kill()
    }
  },
}

const [name, ...args] = process.argv.slice(2)
console.log(JSON.stringify(await HOSTS[name](...args)))
