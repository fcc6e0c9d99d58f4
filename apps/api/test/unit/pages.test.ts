import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/documents.ts'
import { expect, test } from 'vitest'
import { documentFile } from '../../openapi/documents.ts'
import { updatePages } from '../../openapi/tables.ts'
import { VARIABLES } from '../../src/variables.ts'

test('the tables and figures of the pages are up to date, else run "pnpm generate"', async () => {
  const document = JSON.parse(readFileSync(documentFile('a'), 'utf8'))
  for (const { current, updated } of await updatePages(document))
    expect(current).toBe(updated)
})

const cwd = fileURLToPath(REPOSITORY)
const read = (file: string) => readFileSync(cwd + file, 'utf8')

const namesIn = (files: string | string[], pattern: RegExp) =>
  globSync(files, { cwd }).flatMap((file) =>
    [...read(file).matchAll(pattern)].map(([, ...names]) => names),
  )

test('pages refer only to titles of tests that exist', () => {
  const named = [
    ...namesIn('docs/reliability.md', /`([\w/-]+\.test\.ts)`: "([^"]+)"/g),
    ...namesIn('apps/api/src/*/group-commit/README.md', /"([^"]+)" \|$/gm).map(
      ([title]) => ['unit/group-commit*.test.ts', title],
    ),
  ]
  expect(named.length).toBeGreaterThan(50)
  for (const [file, title] of named) {
    const found = globSync(`{apps/api/test,tools/lab}/${file}`, { cwd })
    expect(found.map(read).join(), file).toContain(`'${title}'`)
  }
})

const PAGES = ['*.md', '{docs,apps,tools,packages}/**/*.md']
  .flatMap((pattern) => globSync(pattern, { cwd }))
  .filter((page) => !page.includes('node_modules'))

test('pages about operations refer only to variables that exist', () => {
  const names = namesIn('docs/operations/*.md', /`([A-Z]+(?:_[A-Z]+)+)[`=]/g)
  const ours = names.flat().filter((name) => !/^(OTEL|NODE)_/.test(`${name}`))
  expect(Object.keys(VARIABLES)).toEqual(expect.arrayContaining(ours))
})

test('pages refer only to pnpm scripts that exist', () => {
  const scripts = globSync(['package.json', '*/*/package.json'], {
    cwd,
  }).flatMap((file) => {
    const { name, scripts = {} } = JSON.parse(read(file))
    const filter = file === 'package.json' ? '' : name
    return Object.keys(scripts).map((script) => `${filter} ${script}`)
  })
  const command =
    /\bpnpm(?:@12)?(?: --filter ([@\w/-]+))?(?: run)? ([a-z][\w:]*)/g
  const commands = namesIn(PAGES, command)
    .map(([filter = '', script]) => `${filter} ${script}`)
    .filter((line) => !/ (installs?|update|exec|pack|publish)$/.test(line))
  expect(scripts).toEqual(expect.arrayContaining(commands))
})
