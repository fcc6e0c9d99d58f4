/*
 * Writes the declarations of each subpath into dist/, with declaration maps to src/: "go to definition" in an editor opens
 * the source file, which the package contains. tsup writes no declaration maps.
 *
 * One `.d.cts` serves `import` and `require`, as in zod 4: TypeScript reads a `.d.cts` from both kinds of module, but
 * rejects a `.d.ts` in CommonJS. With two files, one type has two identities in a build that mixes resolutions: TS2742 in
 * compat/monorepo.ts, up to TypeScript 6, also if the `.d.ts` only exports the `.d.cts` again. The price is what attw calls
 * "masquerading as CJS": `import typedId from 'typed-id'` compiles, and fails at start, because there is no default export.
 */
import { copyFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { SUBPATHS } from './subpaths.ts'

/**
 * Subpaths with two declaration files: their peers declare private properties
 * once per kind of module, and each file must import the right one.
 */
const WITH_TWO_DECLARATIONS = ['drizzle', 'kysely']

const bundle = await rollup({
  input: Object.fromEntries(SUBPATHS.map(({ name, source }) => [name, source])),
  external: (id) =>
    !id.startsWith('.') && !isAbsolute(id) && !id.startsWith('src/'),
  plugins: [dts({ sourcemap: true })],
})
await bundle.write({
  dir: 'dist',
  format: 'es',
  sourcemap: true,
  sourcemapExcludeSources: true,
  entryFileNames: '[name].d.cts',
  chunkFileNames: '[name]-[hash].d.cts',
})
await bundle.close()
for (const name of WITH_TWO_DECLARATIONS)
  copyFileSync(`dist/${name}.d.cts`, `dist/${name}.d.ts`)
