import { readdirSync } from 'node:fs'
import manifest from './package.json' with { type: 'json' }

interface Subpath {
  readonly key: string
  readonly specifier: string
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
 * Sources that are built to separate files, so that bundlers drop files that a
 * program does not use.
 */
export const BUILT: Readonly<Record<string, string>> = Object.fromEntries(
  readdirSync(new URL('src', import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name !== 'cli.ts')
    .map(({ name }) => [name.replace('.ts', ''), `src/${name}`]),
)
