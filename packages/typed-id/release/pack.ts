/* Packs the package as it is published: built, with its origin, and with documents that use the published name and absolute links. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './identity.ts'
import { toAbsoluteLinks } from './links.ts'
import { rename } from './rename.ts'

const HERE = join(import.meta.dirname, '..')
const shell = process.platform === 'win32' // there, npm and pnpm are scripts that only a shell starts

/** The name in the registry: `publishConfig.name` of package.json if it is set. */
export function publishedName(): string {
  const { name, publishConfig } = JSON.parse(readFileSync(join(HERE, 'package.json'), 'utf8'))
  return publishConfig.name ?? name
}

/**
 * Packs the package into an empty folder, and returns the path of the tarball. Its content is in `<folder>/package`.
 * `fields` replace those of package.json.
 */
export function pack(folder: string, name: string, fields: object = {}): string {
  execFileSync('npx', ['--yes', 'pnpm@12', 'pack', '--pack-destination', folder], {
    cwd: HERE,
    stdio: 'ignore',
    shell,
  })
  const unnamed = onlyTarball(folder)
  execFileSync('tar', ['-xzf', unnamed], { cwd: folder })
  const content = join(folder, 'package')
  const manifest = JSON.parse(readFileSync(join(content, 'package.json'), 'utf8'))
  writeFileSync(
    join(content, 'package.json'),
    `${JSON.stringify({ ...manifest, ...fields, name }, undefined, 2)}\n`,
  )
  for (const file of ['README.md', 'AGENTS.md']) {
    const path = join(content, file)
    writeFileSync(path, toAbsoluteLinks(rename(readFileSync(path, 'utf8'), name), ROOT))
  }
  execFileSync('npm', ['pack', '--ignore-scripts', '--silent'], { cwd: content, stdio: 'ignore', shell })
  return onlyTarball(content)
}

function onlyTarball(folder: string): string {
  return join(folder, readdirSync(folder).find((file) => file.endsWith('.tgz')) as string)
}
