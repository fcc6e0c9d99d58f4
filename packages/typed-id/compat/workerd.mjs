import { createRequire } from 'node:module'

const require = createRequire(new URL('../tools/package.json', import.meta.url))
const { Miniflare } = require('miniflare')
const worker = new Miniflare({
  modules: true,
  scriptPath: 'worker.bundle.js',
  compatibilityDate: '2026-01-01',
})
const response = await worker.dispatchFetch('http://localhost/')
console.log(await response.text())
await worker.dispose()
