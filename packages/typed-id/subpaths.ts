/*
 * The subpaths of the library, derived from `exports` in package.json.
 * test/package/subpaths.test.ts compares all other lists of subpaths with this
 * one.
 */
import { readdirSync } from 'node:fs'
import manifest from './package.json' with { type: 'json' }

interface Subpath {
  readonly key: string
  readonly specifier: string
  /**
   * The name of the source file and of the built files, without extension:
   * `zod`, or `index` for the core.
   */
  readonly name: string
  readonly source: string
}

export const SUBPATHS: readonly Subpath[] = Object.entries(manifest.exports)
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

/**
 * The files at the top of src, without the command cli.ts. Each is built to a
 * separate file, so that bundlers drop files that a program does not use.
 */
export const BUILT: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(new URL('src', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'cli.ts')
    .map(({ name }) => [name.replace('.ts', ''), `src/${name}`]),
)
