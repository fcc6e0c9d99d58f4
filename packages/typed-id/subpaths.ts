/*
 * The subpaths of the library, derived from `exports` in package.json. Everything else that needs the list imports it
 * from here, or is compared with it by test/package/subpaths.test.ts.
 *
 * `pnpm --filter typed-id run subpaths` writes `publishConfig.exports`: the built files, which replace `exports` in
 * the published package.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const FILE = new URL('package.json', import.meta.url)
const manifest = JSON.parse(readFileSync(FILE, 'utf8'))

interface Subpath {
  /** The key in `exports`: `./zod`. */
  readonly key: string
  /** The specifier that users import: `typed-id/zod`. */
  readonly specifier: string
  /** The name of the source file and of the built files, without extension: `zod`, or `index` for the core. */
  readonly name: string
  /** The source file, from the root of the package: `src/zod.ts`. */
  readonly source: string
}

export const SUBPATHS: readonly Subpath[] = Object.entries<string>(manifest.exports)
  .filter(([key]) => key !== './package.json')
  .map(([key, file]) => {
    const source = file.replace('./', '')
    return {
      key,
      specifier: `${manifest.name}${key.slice(1)}`,
      name: source.replace(/^src\/|\.ts$/g, ''),
      source,
    }
  })

/** Returns what `publishConfig.exports` has to contain. */
export function publishedExports(): Record<string, unknown> {
  const built = SUBPATHS.map(({ key, name }) => [
    key,
    {
      import: { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` },
      require: { types: `./dist/${name}.d.cts`, default: `./dist/${name}.cjs` },
    },
  ])
  return {
    ...Object.fromEntries(built),
    './vectors.json': './dist/vectors.json',
    './package.json': './package.json',
  }
}

/**
 * Returns the other entry points of `publishConfig`, for tools that do not read `exports`: TypeScript with
 * `moduleResolution: node10`, and everything based on the package resolve (browserify, eslint-plugin-import).
 */
export function publishedEntryPoints(): Record<string, unknown> {
  const subpaths = SUBPATHS.filter(({ key }) => key !== '.')
  return {
    main: './dist/index.cjs',
    module: './dist/index.js',
    types: './dist/index.d.cts',
    typesVersions: { '*': Object.fromEntries(subpaths.map(({ name }) => [name, [`./dist/${name}.d.cts`]])) },
  }
}

if (import.meta.main) {
  Object.assign(manifest.publishConfig, publishedEntryPoints())
  manifest.publishConfig.exports = publishedExports()
  writeFileSync(FILE, `${JSON.stringify(manifest, undefined, 2)}\n`)
  console.log(`package.json: publishConfig.exports has ${SUBPATHS.map(({ key }) => key).join(', ')}`)
}
