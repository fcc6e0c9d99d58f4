import { defineConfig, type Options } from 'tsup'

/** The subpaths import the built index instead of copying it, so that there is one TypedIdError for `instanceof`. */
const oneIndex: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'one-index',
  setup(build) {
    const path = build.initialOptions.format === 'cjs' ? './index.cjs' : './index.js'
    build.onResolve({ filter: /^\.\.?\/index\.ts$/ }, () => ({ path, external: true }))
  },
}

const common: Options = {
  target: 'es2022',
  splitting: false,
  esbuildPlugins: [oneIndex],
  // Puts the values of constants in their place: a bundle's `var` is no constant to V8.
  esbuildOptions(options) {
    options.minifySyntax = true
  },
}

export default defineConfig([
  {
    ...common,
    entry: ['src/index.ts', 'src/zod.ts', 'src/base62.ts', 'src/name.ts', 'src/testing.ts', 'src/kysely.ts'],
    format: ['esm', 'cjs'],
    dts: true,
  },
  { ...common, entry: ['src/cli.ts'], format: ['esm'] },
])
