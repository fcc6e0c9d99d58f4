/*
 * Writes the type declarations of each subpath with source maps, so that "go to
 * definition" in an editor opens the source file. tsup writes no such maps.
 *
 * One `.d.cts` serves both `import` and `require`, as in zod 4, because
 * TypeScript rejects a `.d.ts` for `require`. With a `.d.ts` for `import`, each
 * type would exist twice, and TypeScript up to 6 would report TS2742 in a build
 * that mixes module resolutions (compat/monorepo.ts).
 *
 * With a `.d.cts`, TypeScript also accepts `import typedId from 'typed-id'`,
 * which fails at run time, because the package has no default export.
 */
import { copyFileSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { rollup } from 'rollup'
import { dts } from 'rollup-plugin-dts'
import { SUBPATHS } from './subpaths.ts'

/**
 * Subpaths that need a `.d.ts` and a `.d.cts`, because drizzle-orm and kysely
 * declare their classes in both kinds of file. TypeScript treats two
 * declarations of a class with private properties as different types.
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
