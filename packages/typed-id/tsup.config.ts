import { readdirSync } from 'node:fs'
import { dirname, relative, resolve } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { SUBPATHS } from './subpaths.ts'

const CORE = 'src/core'

/**
 * Builds src/core into one file, dist/core, which all built files import: `instanceof TypedIdError` needs one class, and
 * all types share one sequence of UUIDs. Subpaths import each other's built files, too. The entry is the folder: the
 * file exports everything that the files of the folder export.
 */
const sharedCore: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'shared-core',
  setup(build) {
    const extension = build.initialOptions.format === 'cjs' ? 'cjs' : 'js'
    const folder = resolve(CORE)
    build.onResolve({ filter: new RegExp(`^${CORE}$`) }, () => ({ path: folder, namespace: CORE }))
    build.onLoad({ filter: /.*/, namespace: CORE }, () => ({
      contents: readdirSync(folder)
        .map((file) => `export * from './${file}'\n`)
        .join(''),
      resolveDir: folder,
    }))
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') return undefined
      const source = relative('', resolve(resolveDir, path)).replaceAll('\\', '/')
      const isInCore = dirname(source) === CORE
      if (isInCore && resolveDir === folder) return undefined
      const name = isInCore ? 'core' : SUBPATHS.find((subpath) => subpath.source === source)?.name
      return name ? { path: `./${name}.${extension}`, external: true } : undefined
    })
  },
}

const common: Options = {
  // React Native's Babel preset rejects static blocks of classes, which are ES2022.
  target: 'es2021',
  splitting: false,
  esbuildPlugins: [sharedCore],
  // Inlines constants. A bundle declares them with `var`, which V8 does not treat as constants.
  esbuildOptions(options) {
    options.minifySyntax = true
    options.supported = { 'class-field': true }
  },
}

const entry = { core: CORE, ...Object.fromEntries(SUBPATHS.map(({ name, source }) => [name, source])) }

export default defineConfig([
  { ...common, entry, format: ['esm', 'cjs'] },
  // Splitting keeps `sql`, which is imported dynamically, out of the file that every command reads.
  {
    ...common,
    entry: { cli: 'src/cli.ts', 'prisma-generator': 'src/prisma/generator.ts' },
    format: ['esm'],
    splitting: true,
  },
])
