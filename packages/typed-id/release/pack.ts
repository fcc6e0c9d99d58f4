/* Packs a package as it is published: built, with its origin, and with documents that use the published name and absolute links. */
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { publishedEntryPoints, publishedExports } from '../subpaths.ts'
import { ROOT } from './identity.ts'
import { rename, toAbsoluteLinks } from './links.ts'

/** The folder of the library. */
export const LIBRARY = join(import.meta.dirname, '..')
const shell = process.platform === 'win32' // there, npm and pnpm are scripts that only a shell starts

/** The name of a package in the registry: `publishConfig.name` of its package.json if it is set. */
export function publishedName(source = LIBRARY): string {
  const { name, publishConfig } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'))
  return publishConfig.name ?? name
}

/**
 * Packs the package in the folder `source` into an empty folder, and returns the path of the tarball. Its content is in `<folder>/package`.
 * `fields` replace those of package.json.
 */
export function pack(
  source: string,
  folder: string,
  name = publishedName(source),
  fields: object = {},
): string {
  const unchanged = isBuilt(source) ? ['--config.ignore-scripts=true'] : []
  const args = ['pack', '--pack-destination', folder, ...unchanged]
  execFileSync('pnpm', args, { cwd: source, stdio: 'ignore', shell })
  const unnamed = onlyTarball(folder)
  execFileSync('tar', ['-xzf', unnamed], { cwd: folder })
  const content = join(folder, 'package')
  const { devDependencies: _, ...manifest } = JSON.parse(readFileSync(join(content, 'package.json'), 'utf8'))
  // In the workspace, `exports` names the sources.
  const built = source === LIBRARY ? { exports: publishedExports(), ...publishedEntryPoints() } : {}
  const published = { ...manifest, ...built, ...fields, name }
  writeFileSync(join(content, 'package.json'), `${JSON.stringify(published, undefined, 2)}\n`)
  for (const file of ['README.md', 'AGENTS.md'].filter((file) => existsSync(join(content, file)))) {
    const text = rename(
      readFileSync(join(content, file), 'utf8'),
      source === LIBRARY ? name : publishedName(),
    )
    writeFileSync(join(content, file), toAbsoluteLinks(text, ROOT, pathToFileURL(join(source, file))))
  }
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: content, stdio: 'ignore', shell })
  return onlyTarball(content)
}

/** Whether all files of `dist` are newer than what they are built from. A build takes 6 s of processor time. */
function isBuilt(source: string): boolean {
  const changedAt = (...patterns: string[]) =>
    globSync(patterns, { cwd: source }).map((file) => statSync(join(source, file)).mtimeMs)
  const built = changedAt('dist/*')
  return (
    built.length > 0 && Math.min(...built) > Math.max(...changedAt('src/**', 'test/vectors/*', '*.{ts,json}'))
  )
}

function onlyTarball(folder: string): string {
  return join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) as string)
}
