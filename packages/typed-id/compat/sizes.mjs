/*
 * Bundles the programs by the bundlers that the arguments name, and compares
 * their sizes, minified and gzipped. `next.mjs` does the same for Turbopack.
 */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { compareSizes, FILES, sizeOf } from './programs.mjs'

const modules = new URL('../bundlers/node_modules/', import.meta.url)
const require = createRequire(modules)
const load = (path) => import(new URL(path, modules))
const esbuild = require('esbuild')

const BUNDLERS = {
  async esbuild(file) {
    const define = { 'process.env.NODE_ENV': '"production"' }
    const options = {
      bundle: true,
      minify: true,
      format: 'esm',
      write: false,
      define,
    }
    return (await esbuild.build({ entryPoints: [file], ...options }))
      .outputFiles[0].text
  },
  async Rollup(input) {
    const { rollup } = await load('rollup/dist/es/rollup.js')
    const { nodeResolve } = await load(
      '@rollup/plugin-node-resolve/dist/es/index.js',
    )
    const bundle = await rollup({
      input,
      plugins: [nodeResolve({ browser: true })],
      logLevel: 'silent',
    })
    const { output } = await bundle.generate({
      format: 'es',
      inlineDynamicImports: true,
    })
    return (
      await esbuild.transform(output[0].code, { minify: true, format: 'esm' })
    ).code
  },
  async Rolldown(input) {
    const { rolldown } = await load('rolldown/dist/index.mjs')
    const bundle = await rolldown({
      input,
      platform: 'browser',
      logLevel: 'silent',
    })
    return (await bundle.generate({ minify: true, codeSplitting: false }))
      .output[0].code
  },
  async webpack(entry) {
    const output = { path: resolve('sizes/webpack'), filename: 'bundle.js' }
    const options = {
      mode: 'production',
      target: ['web', 'es2022'],
      performance: false,
      output,
      entry,
    }
    const stats = await promisify(require('webpack'))(options)
    if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
    return readFileSync(join(output.path, output.filename))
  },
}

rmSync('sizes', { recursive: true, force: true })
mkdirSync('sizes')
for (const [name, code] of Object.entries(FILES))
  writeFileSync(`sizes/${name}.mjs`, code)

const results = []
for (const name of process.argv.slice(2)) {
  const sizes = {}
  for (const file of Object.keys(FILES))
    sizes[file] = sizeOf(await BUNDLERS[name](resolve(`sizes/${file}.mjs`)))
  results.push(compareSizes(name, sizes))
}
const [passed, failed, rows] = ['passed', 'failed', 'rows'].map((key) =>
  results.flatMap((one) => one[key]),
)
console.log(
  JSON.stringify({ passed: passed.reduce((a, b) => a + b), failed, rows }),
)
