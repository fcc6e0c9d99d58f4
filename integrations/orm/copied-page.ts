import { globSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '../..')

/**
 * Writes what a section of a page shows into an empty project, as a reader would: installs the packages of its `npm install` lines,
 * from the packages of this workspace, and copies its files. Returns the folder.
 */
export function copyPage(file: string, heading: string): string {
  const text = readFileSync(join(ROOT, 'docs/recipes', file), 'utf8')
  const page = text.split(/^#+ /m).find((section) => section.startsWith(`${heading}\n`)) ?? ''
  const project = mkdtempSync(join(tmpdir(), 'typed-id-recipe-'))
  writeFileSync(join(project, 'package.json'), '{ "type": "module" }')
  writeFileSync(join(project, 'tsconfig.json'), '{ "compilerOptions": { "experimentalDecorators": true } }')

  const installed = [...page.matchAll(/^npm install (.+)$/gm)].flatMap(([, names = '']) => names.split(' '))
  for (const name of installed.filter((word) => !word.startsWith('-'))) {
    const link = join(project, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(join(ROOT, 'integrations/node_modules', name), link)
  }
  symlinkSync(join(ROOT, 'integrations/node_modules/.bin'), join(project, 'node_modules/.bin'))

  for (const [, path = ''] of page.matchAll(/^<<< @\/\.\.\/(\S+)/gm))
    for (const file of globSync(path, { cwd: ROOT }))
      writeFileSync(join(project, file.split('/').at(-1) ?? ''), readFileSync(join(ROOT, file)))
  return project
}
