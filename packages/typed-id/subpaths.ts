/*
 * The subpaths of the library, derived from `exports` in package.json. Only this workspace has `./internal/*`. Everything
 * else that needs the list imports it from here, or is compared with it by test/package/subpaths.test.ts.
 */
import manifest from './package.json' with { type: 'json' }

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

export const SUBPATHS: readonly Subpath[] = Object.entries(manifest.exports)
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
