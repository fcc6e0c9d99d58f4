import { defineConfig, type Options } from 'tsup'
import { SUBPATHS } from './subpaths.ts'

/** Makes the subpaths import the built index instead of bundling a copy: `instanceof TypedIdError` needs one class. */
const externalIndex: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'external-index',
  setup(build) {
    const path = build.initialOptions.format === 'cjs' ? './index.cjs' : './index.js'
    build.onResolve({ filter: /^\.\.?\/index\.ts$/ }, () => ({ path, external: true }))
  },
}

const common: Options = {
  target: 'es2022',
  splitting: false,
  esbuildPlugins: [externalIndex],
  // Inlines constants. A bundle declares them with `var`, which V8 does not treat as constants.
  esbuildOptions(options) {
    options.minifySyntax = true
  },
}

export default defineConfig([
  { ...common, entry: SUBPATHS.map(({ source }) => source), format: ['esm', 'cjs'], dts: true },
  // Splitting keeps `migrate`, which is imported dynamically, out of the file that every command reads.
  { ...common, entry: ['src/cli.ts'], format: ['esm'], splitting: true },
])
