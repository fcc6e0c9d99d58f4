import { readdirSync } from 'node:fs'
import { basename, dirname, relative, resolve } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { BUILT } from './subpaths.ts'

/**
 * The folders that are built to one file each, which all built files import:
 * `instanceof TypedIdError` needs one class, and all types share one sequence
 * of UUIDs. `core` is what `defineId` needs; `forms` has the other forms of
 * ids, and `generate` the other ways to create them.
 */
const FOLDERS = ['src/core', 'src/forms', 'src/generate']

/**
 * A folder is an entry: its file exports everything that the files of the
 * folder export.
 */
const sharedFiles: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'shared-files',
  setup(build) {
    const extension = build.initialOptions.format === 'cjs' ? 'cjs' : 'js'
    const namespace = 'folder'
    build.onResolve(
      { filter: new RegExp(`^(${FOLDERS.join('|')})$`) },
      ({ path }) => ({
        path: resolve(path),
        namespace,
      }),
    )
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: readdirSync(path)
        .map((file) => `export * from './${file}'\n`)
        .join(''),
      resolveDir: path,
    }))
    build.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir, kind }) => {
      if (kind === 'entry-point') return undefined
      const source = relative('', resolve(resolveDir, path)).replaceAll(
        '\\',
        '/',
      )
      const folder = FOLDERS.find((folder) => folder === dirname(source))
      if (folder && resolveDir === resolve(folder)) return undefined
      const name = folder
        ? basename(folder)
        : Object.keys(BUILT).find((name) => BUILT[name] === source)
      return name
        ? { path: `./${name}.${extension}`, external: true }
        : undefined
    })
  },
}

const common: Options = {
  // React Native's Babel preset rejects static blocks of classes, which are
  // ES2022.
  target: 'es2021',
  splitting: false,
  esbuildPlugins: [sharedFiles],
  // Inlines constants. A bundle declares them with `var`, which V8 does not
  // treat as constants.
  esbuildOptions(options) {
    options.minifySyntax = true
    options.supported = { 'class-field': true }
  },
}

const entry = {
  ...Object.fromEntries(FOLDERS.map((folder) => [basename(folder), folder])),
  ...BUILT,
}

export default defineConfig([
  { ...common, entry, format: ['esm', 'cjs'] },
  // Splitting keeps `sql`, which is imported dynamically, out of the file that
  // every command reads.
  {
    ...common,
    entry: { cli: 'src/cli.ts', 'prisma-generator': 'src/prisma/generator.ts' },
    format: ['esm'],
    splitting: true,
  },
])
