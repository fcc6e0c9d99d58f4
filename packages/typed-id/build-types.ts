/*
 * Writes the declarations of each subpath into dist/, for ES modules and CommonJS, with declaration maps to src/: "go to
 * definition" in an editor opens the source file, which the package contains. tsup writes no declaration maps.
 */
import { isAbsolute } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { SUBPATHS } from './subpaths.ts'

const bundle = await rollup({
  input: Object.fromEntries(SUBPATHS.map(({ name, source }) => [name, source])),
  external: (id) => !id.startsWith('.') && !isAbsolute(id) && !id.startsWith('src/'),
  plugins: [dts({ sourcemap: true })],
})
for (const extension of ['.d.ts', '.d.cts']) {
  await bundle.write({
    dir: 'dist',
    format: 'es',
    sourcemap: true,
    sourcemapExcludeSources: true,
    entryFileNames: `[name]${extension}`,
    chunkFileNames: `[name]-[hash]${extension}`,
  })
}
await bundle.close()
