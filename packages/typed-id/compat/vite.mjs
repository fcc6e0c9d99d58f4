const { build } = await import('../bundlers/node_modules/vite/dist/node/index.js')
const { output } = await build({
  logLevel: 'error',
  build: { target: 'esnext', outDir: 'vite', rollupOptions: { input: 'page.mjs' } },
})
await import(`./vite/${output[0].fileName}`)
console.log(JSON.stringify(globalThis.result))
