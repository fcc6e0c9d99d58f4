/* Bundles the conformance page by `vite` or `webpack`, and runs the bundle. */
import { createRequire } from 'node:module'
import { promisify } from 'node:util'

await import(
  process.argv[2] === 'vite' ? await buildByVite() : await buildByWebpack()
)
console.log(JSON.stringify(globalThis.result))

async function buildByVite() {
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
  return `./vite/${output[0].fileName}`
}

async function buildByWebpack() {
  const webpack = createRequire(
    new URL('../bundlers/package.json', import.meta.url),
  )('webpack')
  const stats = await promisify(webpack)({
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
  return './webpack/page.mjs'
}
