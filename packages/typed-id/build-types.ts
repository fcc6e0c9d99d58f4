/*
 * Writes the type declarations of each subpath into dist/, with source maps, so
 * that "go to definition" in an editor opens the source file. tsup writes no
 * such maps.
 *
 * One `.d.cts` serves both `import` and `require`, as in zod 4, because
 * TypeScript rejects a `.d.ts` for `require`. With a `.d.ts` for `import` as
 * well, each type would exist twice. Up to TypeScript 6, a build that mixes
 * module resolutions would then fail with TS2742 (compat/monorepo.ts). The
 * disadvantage of one file: `import typedId from 'typed-id'` compiles, but
 * fails at start, because there is no default export. attw calls this
 * "masquerading as CJS".
 */
import { copyFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { SUBPATHS } from './subpaths.ts'

/**
 * Subpaths that need a `.d.ts` and a `.d.cts`, because the classes of
 * drizzle-orm and kysely have private properties and are declared twice, in a
 * `.d.ts` and in a `.d.cts`. TypeScript does not accept a class of one
 * declaration file for the same class of the other.
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
