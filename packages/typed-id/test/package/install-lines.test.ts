import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/documents.ts'
import { expect, test } from 'vitest'

const cwd = fileURLToPath(REPOSITORY)
const exclude = (path: string) =>
  /^(node_modules|dist|reference)$/.test(basename(path))
const glob = (pattern: string) => globSync(pattern, { cwd, exclude })
const read = (file: string) => readFileSync(cwd + file, 'utf8')

const UNPUBLISHED = new Set<string>(
  glob('{apps,packages,tools,docs,integrations}/{*/,}package.json').flatMap(
    (file) => [basename(dirname(file)), JSON.parse(read(file)).name],
  ),
)
UNPUBLISHED.delete('typed-id')

const installedBy = (line: string): string[] =>
  line
    .replace(/ #.*/, '')
    .split(' ')
    .filter((word) => /^@?[a-z]/.test(word) && !/\.tgz$/.test(word))
    .map((word) => word.replace(/(?<=.)@.*/, ''))

const LINE =
  /\b(?:npm (?:install|i)|(?:pnpm|yarn|bun) add) (.+?)[`\n]|\bnpx(?: --yes)? (\S+)/g

test('no line of a page installs a name that belongs to somebody else', () => {
  const pages = glob('**/*.md')
  const installed = pages.flatMap((page) =>
    [...read(page).matchAll(LINE)].flatMap(([, names, command = '']) =>
      installedBy(names ?? command).map((name) => `${page}: ${name}`),
    ),
  )
  expect(installed).toContain('README.md: typed-id')
  expect(installed.length).toBeGreaterThan(60)
  const wrong = installed.filter((line) =>
    UNPUBLISHED.has(line.split(': ')[1] ?? ''),
  )
  expect(wrong).toEqual([])
})
