import { createRequire } from 'node:module'
import { promisify } from 'node:util'

const webpack = createRequire(new URL('../bundlers/package.json', import.meta.url))('webpack')
const stats = await promisify(webpack)({
  mode: 'production',
  target: ['web', 'es2022'],
  entry: './page.mjs',
  experiments: { outputModule: true },
  output: { path: `${import.meta.dirname}/webpack`, filename: 'page.mjs', module: true },
})
if (stats.hasErrors()) throw new Error(stats.toString('errors-only'))
await import('./webpack/page.mjs')
console.log(JSON.stringify(globalThis.result))
