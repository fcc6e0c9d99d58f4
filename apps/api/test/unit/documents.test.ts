import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/documents.ts'
import { describe, expect, test } from 'vitest'
import { updatePages } from '../../openapi/tables.ts'
import { TIMEOUT_MS } from '../../src/database/group-commit/statements.ts'
import {
  CONNECT_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
} from '../../src/database/postgres.ts'
import { BODY_LIMIT, BUDGET } from '../../src/http/body.ts'
import { UNREAD_LIMIT } from '../../src/http/unread.ts'
import { BUFFER_LIMIT } from '../../src/observability/log.ts'
import { QUEUE_LIMIT } from '../../src/profile-a/passwords.ts'
import { MAX_PIPELINED, RESERVED } from '../../src/server/connections.ts'
import { createRejections } from '../../src/server/serve.ts'
import { VARIABLE_GROUPS } from '../../src/variables.ts'

const root = fileURLToPath(REPOSITORY)
const read = (file: string) => readFileSync(join(root, file), 'utf8')
/** The files of the repository, tracked and new, without ignored ones. */
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))
const documents = files.filter((file) => file.endsWith('.md'))

test('the tables of the pages are up to date, else run "pnpm generate"', async () => {
  for (const { current, updated } of await updatePages())
    expect(current).toBe(updated)
})

test('the cost in README and on Home is the one of the benchmarks', () => {
  const page = read('docs/benchmarks.md')
  const [, bytes = ''] = /^\| defineId alone +\| +([\d,]+) \|/m.exec(page) ?? []
  const kilobytes = Math.ceil(Number(bytes.replace(',', '')) / 100) / 10
  const [, ns] = /^\| generate +\| +(\d+) \|/m.exec(page) ?? []
  for (const file of ['README.md', 'docs/index.md']) {
    expect(read(file)).toMatch(new RegExp(`${kilobytes} kB[^\\d]+size\\)`))
    expect(read(file)).toMatch(new RegExp(`${ns} ns[^\\d]+speed\\)`))
  }
})

test('the pages have the limits of the service, and every reason of a rejection', () => {
  const MIB = 1024 * 1024
  const limits = {
    'operations/overload': [
      `request body, ${BODY_LIMIT / MIB} MiB`,
      `unfinished request bodies, ${BUDGET / MIB} MiB in all`,
      `unread responses of one list, ${UNREAD_LIMIT / MIB} MB in all`,
      `password hashing, ${QUEUE_LIMIT} in all`,
      `${RESERVED} further connections`,
      `more than ${MAX_PIPELINED.toLocaleString('en')} requests`,
      ...Object.keys(createRejections()).map((name) => `| \`${name}\` |\n`),
    ],
    'operations/databases': [
      `at most ${LOCK_TIMEOUT_MS / 1000} s for a row lock`,
      `at most ${CONNECT_TIMEOUT_MS / 1000} s for a connection`,
      `\`lock_timeout\` (${LOCK_TIMEOUT_MS / 1000} s)`,
    ],
    'operations/monitoring': [`a buffer of ${BUFFER_LIMIT / MIB} MiB`],
    reliability: [`a write waits at most ${TIMEOUT_MS / 1000} s`],
  }
  for (const [name, words] of Object.entries(limits))
    for (const limit of words) expect(read(`docs/${name}.md`)).toContain(limit)
})

describe('the pages about operations', () => {
  test('list every message of the log with its level, and no other', () => {
    const sources = globSync('apps/api/src/**/*.ts', { cwd: root })
      .map(read)
      .join('\n')
    const logged = [
      ...sources.matchAll(
        /\blog\.(info|warn|error)\((?:[^']|'(?!,?\s*\)))*?'([^']+)',?\s*\)/g,
      ),
    ].map(([, level, message]) => `${level} ${message}`)
    const [, table = ''] =
      /^\| `msg`.*\n.*\n((?:\|.*\n)+)/m.exec(
        read('docs/operations/monitoring.md'),
      ) ?? []
    const listed = [...table.matchAll(/^\| `([^`]+)` \| (\w+)/gm)].map(
      ([, message, level]) => `${level} ${message}`,
    )
    expect(logged.length).toBeGreaterThan(8)
    expect(listed.toSorted()).toEqual([...new Set(logged)].sort())
  })

  test('name only variables that exist', () => {
    const known = Object.values(VARIABLE_GROUPS).flatMap(Object.keys)
    const names = globSync('docs/operations/*.md', { cwd: root })
    const named = names
      .flatMap((name) => read(name).match(/`[A-Z]+(_[A-Z]+)+(?=[`=])/g) ?? [])
      .map((name) => name.slice(1))
      .filter((name) => !/^(OTEL|NODE)_/.test(name))
    expect(named.length).toBeGreaterThan(20)
    expect(known).toEqual(expect.arrayContaining(named))
  })
})

describe('reliability.md', () => {
  const page = read('docs/reliability.md')
  const named = [...page.matchAll(/`([\w/-]+\.test\.ts)`[^"|\n]*"([^"]+)"/g)]

  test.for(named.map(([, file, title]) => [file, title]))(
    'names a test that exists: %s, %s',
    ([file, title]) => {
      const sources = files
        .filter((path) => path.endsWith(`/${file}`))
        .map(read)
      expect(sources, `one file ${file}`).toHaveLength(1)
      expect(sources[0]).toContain(`'${title}'`)
    },
  )

  test('names a test in each row of its promises and faults, and no file without a title', () => {
    const rows = page.match(/^\| (?!promise|fault|-|service|2 instances).*$/gm)
    expect(rows?.length).toBeGreaterThan(20)
    for (const row of rows ?? []) expect(row).toMatch(/`[\w/-]+\.test\.ts`: "/)
    expect(page.match(/\.test\.ts`/g)).toHaveLength(named.length)
  })
})

test('each row of the table about the SQLite dialect has the title of a test', () => {
  const page = read('apps/api/src/database/group-commit/README.md')
  const tests = read('apps/api/test/unit/group-commit.test.ts')
  const [, , ...rows] = page.match(/^\| .*$/gm) ?? []
  expect(rows.length).toBeGreaterThan(8)
  for (const row of rows)
    expect(tests).toContain(`'${/"([^"]+)" *\|$/.exec(row)?.[1]}'`)
})

/** Blocks of code, and code in a line. */
const CODE = /^ *```[\s\S]*?^ *```$|`[^`\n]+`/gm

/** The scripts of each package by its name, of the root by ''. */
const scripts = new Map(
  files
    .filter((file) => basename(file) === 'package.json')
    .map((file) => {
      const { name, scripts = {} } = JSON.parse(read(file))
      return [file === 'package.json' ? '' : name, Object.keys(scripts)]
    }),
)
const COMMANDS = ['install', 'update', 'exec', 'pack', 'publish']

test('every pnpm command of the documents exists', () => {
  const code = documents
    .flatMap((document) => read(document).match(CODE) ?? [])
    .join('\n')
  const command =
    /\bpnpm(?:@12)?(?: --filter ([\w-]+))?(?: run)? ([a-z][\w:-]*)/g
  const unknown = [...code.matchAll(command)].filter(
    ([, name = '', script = '']) =>
      ![...COMMANDS, ...(scripts.get(name) ?? [])].includes(script),
  )
  expect(unknown.map(([text]) => text)).toEqual([])
})

describe('links', () => {
  const { repository } = JSON.parse(read('packages/typed-id/package.json'))
  /** How the README of the library links to files, as registries show it. */
  const absolute = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/HEAD/`
  /** Returns the ids of headings in a document, as GitHub generates them. */
  const anchorsOf = (document: string) =>
    [...read(document).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    )

  test.for(documents)(
    'of %s lead to files and headings that exist',
    (document) => {
      const exists = (link: string) => {
        const [path = '', anchor] = link.replace(absolute, '/').split('#')
        const target = path.startsWith('/')
          ? path.slice(1)
          : path && join(dirname(document), path)
        return (
          existsSync(join(root, target)) &&
          (anchor === undefined ||
            anchorsOf(target || document).includes(anchor))
        )
      }
      const links = [
        ...read(document)
          .replace(CODE, '')
          .matchAll(/\]\(([^)\s]+)\)/g),
      ]
        .map(([, link = '']) => link)
        .filter((link) => !/^[a-z]+:/.test(link) || link.startsWith(absolute))
      expect(links.filter((link) => !exists(link))).toEqual([])
    },
  )
})
