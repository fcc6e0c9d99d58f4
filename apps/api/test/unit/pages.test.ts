import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/documents.ts'
import { expect, test } from 'vitest'
import { documentFile } from '../../openapi/documents.ts'
import { updatePages } from '../../openapi/tables.ts'

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

const FILES = execFileSync('git', ['ls-files'], { cwd, encoding: 'utf8' })
  .split('\n')
  .filter((file) => file !== '' && existsSync(cwd + file))
const PAGES = FILES.filter((file) => file.endsWith('.md'))

/** Titles of tests, without the name of a case at the end. */
const TITLES = new Set(
  namesIn('{apps/api/test,tools/lab}/**/*.test.ts', /'([^'\n]+)'/g).map(
    ([title = '']) =>
      title
        .replaceAll('`', '')
        .replace(/ \([^()]*[%$]\w[^()]*\)$/, '')
        .toLowerCase(),
  ),
)

/** The title of a test in a group begins with that of the group. */
const isTitle = (line: string) =>
  TITLES.has(line) ||
  [...TITLES].some(
    (group) =>
      line.startsWith(`${group} `) && TITLES.has(line.slice(group.length + 1)),
  )

test('lists between <!-- tests --> and <!-- /tests --> are titles of tests', () => {
  const lines = namesIn(PAGES, /^<!-- tests -->$(.*?)^<!-- \/tests -->$/gms)
    .flatMap(([list = '']) => list.trim().split(/^- /m).filter(Boolean))
    .map((line) => line.trim().replace(/\s+/g, ' ').replaceAll('`', ''))
  expect(lines.length).toBeGreaterThan(50)
  expect(lines.filter((line) => !isTitle(line.toLowerCase()))).toEqual([])
})

const CODE = new RegExp(
  [
    /^ *```.*?^ *```$/,
    /^<!-- ([\w-]+) -->$.*?^<!-- \/\1 -->$/,
    /<!-- \w+ -->[\w. ]+<!-- \/\w+ -->/,
    /^`[^`\n]+`$/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'gms',
)

const PROSE = PAGES.filter((page) => !/LOG|^S/.test(page)).map((page) => ({
  page,
  text: read(page).replace(CODE, ''),
}))

const joinLines = (code: string) =>
  code.replace(/\s+/g, ' ').replace(/(?<=[([]) | (?=[)\]])/g, '')

const NOT_IN_SOURCES = [
  ...['CSS.escape(id)', 'useFetch', 'withComponentInputBinding'],
  ...['app/routes.ts', "route('users/:id', 'routes/user.tsx')"],
  ...['max_prepared_statements', 'z.iso.datetime({ precision: 3 })'],
  ...['tags.Pattern', 'OTEL_SERVICE_NAME', '.ci/run nightly'],
  'alter role app in database users set statement_timeout =',
]

const withoutComments = (file: string) =>
  read(file).replace(/^ *(?:\/\*.*?\*\/|\/\/.*?)$/gms, '')

test('code in the prose of a page is in a source or in a code block', () => {
  const sources = FILES.filter(
    (file) =>
      /(\.([cm]?[jt]sx?|json|ya?ml|cfg|service)|\.ci\/run)$/.test(file) &&
      !file.endsWith('pages.test.ts'),
  )
  const blocks = PAGES.flatMap((page) => read(page).match(CODE) ?? [])
  const code = [...FILES, ...sources.map(withoutComments), ...blocks].join('\n')
  const shown = joinLines(code)
  const words = new Set(shown.match(/\w+/g))
  const isShown = (part: string) =>
    /^\w+$/.test(part) ? words.has(part) : shown.includes(joinLines(part))
  const unknown = PROSE.flatMap(({ page, text }) =>
    [...text.matchAll(/(`+)(.+?)\1/gs)]
      .map(([, , span = '']) => span.replace(/\s+/g, ' '))
      .filter((span) => !/^(pnpm|npm|git|docker) |"/.test(span))
      .flatMap((span) => span.split(/ ?… ?|<[^>]*>|\(\)|\/$/))
      .filter((part) => !isShown(part) && !NOT_IN_SOURCES.includes(part))
      .map((part) => `${page}: ${part}`),
  )
  expect(unknown).toEqual([])
})

test('a size, a duration or a count of ours is in no prose of a page', () => {
  const unit =
    '([mµn]?s|seconds?|minutes?|hours?|days?|bytes?|[kKMG]i?B|characters|items)'
  const numbers = PROSE.flatMap(({ page, text }) =>
    text
      .replace(/(`+).+?\1|"[^"]*"|\[[^\]]*\]|^#.*?$/gms, '')
      .split('\n')
      .filter((line) => new RegExp(`\\d\\s?${unit}\\b`).test(line))
      .map((line) => `${page}: ${line}`),
  )
  expect(numbers).toEqual([])
})

test('pages contain the names in links of the README', () => {
  const link = /(?<!!)\[([^\]]+(?:,| and)\s[^\]]+)\]\((\w[\w/.-]+\.md)/g
  const wrong = namesIn('README.md', link).flatMap(([names = '', page = '']) =>
    names.split(/,\s|\sand\s/).filter((name) => !read(page).includes(name)),
  )
  expect(wrong).toEqual([])
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
