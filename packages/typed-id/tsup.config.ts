import { globSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { defineConfig, type Options } from 'tsup'
import { BUILT } from './subpaths.ts'

/**
 * Built files that the other built files import instead of copying the code,
 * because a copy of `TypedIdError` would break `instanceof`, and a second
 * sequence of UUIDs would break the order of the ids.
 */
const SHARED: Readonly<Record<string, readonly string[]>> = {
  core: ['src/core/'],
  functions: [
    'src/forms/',
    'src/generate/',
    'src/registry.ts',
    'src/json-schema.ts',
  ],
}

const toSource = (path: string) => relative('', path).replaceAll('\\', '/')
const sharedBy = (source: string) =>
  Object.keys(SHARED).find((name) =>
    SHARED[name]?.some((path) => source.startsWith(path)),
  )

/**
 * Builds each file of `SHARED` from the sources that `SHARED` lists. In other
 * built files, imports of these sources become imports of the shared file.
 */
const sharedFiles: NonNullable<Options['esbuildPlugins']>[number] = {
  name: 'shared-files',
  setup(build) {
    const extension = build.initialOptions.format === 'cjs' ? 'cjs' : 'js'
    const namespace = 'shared'
    build.onResolve({ filter: /^src\/\w+$/ }, ({ path }) => ({
      path: sharedBy(`${path}/`) as string,
      namespace,
    }))
    build.onLoad({ filter: /.*/, namespace }, ({ path }) => ({
      contents: globSync('src/**/*.ts')
        .filter((file) => sharedBy(toSource(file)) === path)
        .map((file) => `export * from './${toSource(file)}'\n`)
        .join(''),
      resolveDir: resolve(''),
    }))
    build.onResolve({ filter: /^\.\.?\// }, (args) => {
      if (args.kind === 'entry-point' || args.namespace === namespace)
        return undefined
      const source = toSource(resolve(args.resolveDir, args.path))
      const shared = sharedBy(source)
      if (shared && shared === sharedBy(toSource(args.importer)))
        return undefined
      const name =
        shared ?? Object.keys(BUILT).find((name) => BUILT[name] === source)
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
  // `minifySyntax` inlines constants. Otherwise esbuild declares constants with
  // `var`, which V8 does not treat as constants.
  esbuildOptions(options) {
    options.minifySyntax = true
    options.supported = { 'class-field': true }
  },
}

const entry = Object.fromEntries([
  // tsup requires an existing path as entry, so the entry is the first source.
  // The plugin `sharedFiles` adds the other sources.
  ...Object.entries(SHARED).map(([name, [first = '']]) => [
    name,
    first.replace(/\/$/, ''),
  ]),
  ...Object.entries(BUILT).filter(([, source]) => !sharedBy(source)),
])

export default defineConfig([
  { ...common, entry, format: ['esm', 'cjs'] },
  // With `splitting`, only the command `typed-id sql` loads the code for SQL,
  // by a dynamic import.
  {
    ...common,
    entry: { cli: 'src/cli.ts', 'prisma-generator': 'src/prisma/generator.ts' },
    format: ['esm'],
    splitting: true,
  },
])
