import { defineConfig, type Options } from 'tsup'

/** The subpaths import the built index instead of copying it, so that there is one TypedIdError for `instanceof`. */
const oneIndex: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'one-index',
  setup(build) {
    const path = build.initialOptions.format === 'cjs' ? './index.cjs' : './index.js'
    build.onResolve({ filter: /^\.\.?\/index\.ts$/ }, () => ({ path, external: true }))
  },
}

export default defineConfig([
  {
    entry: ['src/index.ts', 'src/zod.ts', 'src/base62.ts', 'src/name.ts', 'src/testing.ts', 'src/kysely.ts'],
    format: ['esm', 'cjs'],
    target: 'es2022',
    splitting: false,
    esbuildPlugins: [oneIndex],
    dts: true,
  },
  { entry: ['src/cli.ts'], format: ['esm'], target: 'es2022', esbuildPlugins: [oneIndex] },
])
