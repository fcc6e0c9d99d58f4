import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
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

  async chromium() {
    const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium'
    const { chromium } = requireFrom('tools')('playwright-core')
    const browser = await chromium.launch({ executablePath })
    const page = await browser.newPage()
    // Opens localhost, a secure context, because any other page without https
    // lacks crypto.subtle, which `idFromName` needs.
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

  webpack: () => pack('webpack', requireFrom('bundlers')('webpack')),
  rspack: () => pack('rspack', requireFrom('bundlers')('@rspack/core').rspack),

  async parcel() {
    const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
    const options = {
      '@parcel/resolver-default': { packageExports: true },
      // Targets Node.js: for browsers, Parcel would need a polyfill of Buffer,
      // which Kysely uses.
      targets: {
        default: {
          ...{ context: 'node', engines: { node: '>=20' } },
          ...{ includeNodeModules: true, outputFormat: 'esmodule' },
        },
      },
    }
    writeFileSync('package.json', JSON.stringify({ ...manifest, ...options }))
    const bin = requireFrom('bundlers').resolve('parcel/lib/bin.js')
    const args = ['build', 'page.mjs', '--no-cache', '--dist-dir', 'parcel']
    execFileSync(process.execPath, [bin, ...args], { stdio: 'pipe' })
    await import('./parcel/page.js')
    return globalThis.result
  },

  /** Builds with Next.js, because Turbopack has no separate command. */
  turbopack() {
    mkdirSync('pages', { recursive: true })
    writeFileSync(
      'pages/index.js',
      "import '../page.mjs'\nexport default () => null",
    )
    const args = ['node_modules/next/dist/bin/next', 'build']
    execFileSync(process.execPath, args, { stdio: 'pipe' })
    return { passed: 1, failed: [] }
  },
}

async function pack(name, bundler) {
  const stats = await promisify(bundler)({
    mode: 'production',
    target: ['web', 'es2022'],
    entry: './page.mjs',
    experiments: { outputModule: true },
    output: {
      path: `${import.meta.dirname}/${name}`,
      filename: 'page.mjs',
      module: true,
    },
  })
  if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
  await import(`./${name}/page.mjs`)
  return globalThis.result
}

console.log(JSON.stringify(await HOSTS[process.argv[2]]()))
