/*
 * The subpaths of the library, derived from `exports` in package.json. Only this workspace has `./internal/*`. Everything
 * else that needs the list imports it from here, or is compared with it by test/package/subpaths.test.ts.
 *
 * `node subpaths.ts` writes jsr.json, the manifest for JSR, which publishes the sources.
 */
import { readFileSync, writeFileSync } from 'node:fs'

const manifest = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))

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

/** Returns the `exports` of the published package: the built files. */
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
 * Returns the other entry points of the published package, for tools that do not read `exports`: TypeScript with
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

/** Returns the content of jsr.json. JSR has scoped names only, and one version range per package, without spaces. */
function jsrManifest(): Record<string, unknown> {
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

if (import.meta.main)
  writeFileSync(new URL('jsr.json', import.meta.url), `${JSON.stringify(jsrManifest(), undefined, 2)}\n`)
