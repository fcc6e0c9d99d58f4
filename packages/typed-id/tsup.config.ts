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
  // React Native's Babel preset rejects static blocks of classes, which are ES2022.
  target: 'es2021',
  splitting: false,
  esbuildPlugins: [externalIndex],
  // Inlines constants. A bundle declares them with `var`, which V8 does not treat as constants.
  esbuildOptions(options) {
    options.minifySyntax = true
  },
}

export default defineConfig([
  { ...common, entry: SUBPATHS.map(({ source }) => source), format: ['esm', 'cjs'] },
  { ...common, entry: ['src/cli.ts'], format: ['esm'] },
])
