/*
 * The subpaths of the library, derived from `exports` in package.json. Only this workspace has `./internal/*`. Everything else that needs the list imports it
 * from here, or is compared with it by test/package/subpaths.test.ts.
 *
 * `pnpm --filter typed-id run subpaths` writes `publishConfig.exports`: the built files, which replace `exports` in
 * the published package. It also writes jsr.json, the manifest for JSR, which publishes the sources.
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
  .filter(([key]) => key !== './package.json' && !key.startsWith('./internal/'))
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

/** Returns what jsr.json has to contain. JSR has scoped names only, and one version range per package, without spaces. */
export function jsrManifest(): Record<string, unknown> {
  return {
    name: manifest.publishConfig.name ?? '@typed-id/typed-id',
    version: manifest.version,
    license: manifest.license,
    exports: Object.fromEntries(SUBPATHS.map(({ key, source }) => [key, `./${source}`])),
    imports: {
      ...Object.fromEntries(
        ['', '/mysql-core', '/pg-core', '/sqlite-core'].map((path) => [
          `drizzle-orm${path}`,
          `npm:drizzle-orm@0${path}`,
        ]),
      ),
      kysely: 'npm:kysely@0',
      'zod/v4': 'npm:zod@4/v4',
    },
    publish: {
      include: ['src', 'README.md', 'CHANGELOG.md', 'jsr.json'],
      exclude: ['src/cli.ts', 'src/cli'],
    },
  }
}

if (import.meta.main) {
  Object.assign(manifest.publishConfig, publishedEntryPoints())
  manifest.publishConfig.exports = publishedExports()
  writeFileSync(FILE, `${JSON.stringify(manifest, undefined, 2)}\n`)
  writeFileSync(new URL('jsr.json', import.meta.url), `${JSON.stringify(jsrManifest(), undefined, 2)}\n`)
  console.log(`package.json: publishConfig.exports has ${SUBPATHS.map(({ key }) => key).join(', ')}`)
}
