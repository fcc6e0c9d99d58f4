import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DATABASE_URLS } from 'api/database/url.ts'
import { createRejections } from 'api/server/serve.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { replaceSection } from 'testkit/tables.ts'
import { describe, expect, test } from 'vitest'
import { drawAnatomy } from './anatomy.ts'
import { createSections } from './service/sections.ts'

const root = fileURLToPath(REPOSITORY)
const read = (file: string) => readFileSync(join(root, file), 'utf8')
/** Tracked and new files, without files that git ignores. */
const files = execFileSync(
  'git',
  ['ls-files', '--cached', '--others', '--exclude-standard'],
  {
    cwd: root,
    encoding: 'utf8',
  },
)
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))
const documents = files.filter((file) => file.endsWith('.md'))

test.for(await createSections())(
  'the table $name in $file is up to date, else run "pnpm generate"',
  ({ file, name, table }) => {
    expect(read(file)).toBe(replaceSection(read(file), name, table))
  },
)

test('the picture of an id is up to date, else run "pnpm generate"', () => {
  expect(read('docs/anatomy.svg')).toBe(drawAnatomy())
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

test('the page of the service names every form of DATABASE_URL', () => {
  for (const form of DATABASE_URLS.split(/, | or /))
    expect(read('docs/service/index.md')).toContain(`\`${form}\``)
})

describe('the pages about operations', () => {
  test('list every reason of a rejection', () => {
    for (const reason of Object.keys(createRejections()))
      expect(read('docs/operations/overload.md')).toMatch(
        new RegExp(`^\\|.*\\| \`${reason}\` +\\|$`, 'm'),
      )
  })

  test.each([
    ['http/body.ts', 'BODY_LIMIT = 1024 * 1024', 'request body, 1 MiB'],
    ['http/body.ts', 'BUDGET = 64 * BODY_LIMIT', 'bodies, 64 MiB in all'],
    ['http/list.ts', 'UNREAD_LIMIT = 32 * 1024 * 1024', 'list, 32 MB in all'],
    ['profile-a/passwords.ts', 'QUEUE_LIMIT = 100', 'hashing, 100 in all'],
    ['server/connections.ts', 'MAX_PIPELINED = 1000', 'than 1,000 requests'],
    ['server/connections.ts', 'RESERVED = 16', '16 further connections'],
  ])('have the limit of %s: %s', (file, constant, words) => {
    expect(read(`apps/api/src/${file}`)).toContain(`const ${constant}\n`)
    const page = read('docs/operations/overload.md').replaceAll(/\s+/g, ' ')
    expect(page).toContain(words)
  })

  test('list every message of the log with its level, and no other', () => {
    const sources = globSync('apps/api/src/**/*.ts', { cwd: root })
      .map(read)
      .join('\n')
    const logged = [
      ...sources.matchAll(
        /\blog\.(info|warn|error)\((?:[^']|'(?!,?\s*\)))*?'([^']+)',?\s*\)/g,
      ),
    ]
    const [, table = ''] =
      /^\| `msg`.*\n.*\n((?:\|.*\n)+)/m.exec(
        read('docs/operations/monitoring.md'),
      ) ?? []
    const listed = [...table.matchAll(/^\| `([^`]+)` +\| (\w+)/gm)]
    const sorted = (events: string[]) => [...new Set(events)].sort()
    expect(logged.length).toBeGreaterThan(8)
    expect(
      sorted(listed.map(([, message, level]) => `${level} ${message}`)),
    ).toEqual(sorted(logged.map(([, level, message]) => `${level} ${message}`)))
  })
})

describe('reliability.md', () => {
  const page = read('docs/reliability.md')
  const named = [...page.matchAll(/`([\w/-]+\.test\.ts)`[^"|\n]*"([^"]+)"/g)]

  test.for(named.map(([, file = '', title = '']) => [file, title] as const))(
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

test.for(documents)('every pnpm command in %s exists', (document) => {
  /** The scripts of each package. The key '' is the root of the repository. */
  const scripts = new Map(
    files
      .filter((file) => basename(file) === 'package.json')
      .map((file) => ({
        isRoot: file === 'package.json',
        content: JSON.parse(read(file)),
      }))
      .map(({ isRoot, content }) => [
        isRoot ? '' : content.name,
        Object.keys(content.scripts ?? {}),
      ]),
  )
  const command =
    /\bpnpm(?:@12)?(?: --filter ([\w-]+))?(?: run)? ([a-z][\w:-]*)/g
  const unknown = [...codeIn(read(document)).matchAll(command)]
    .filter(
      ([, packageName = '', script = '']) =>
        ![
          'install',
          'update',
          'exec',
          'pack',
          'publish',
          ...(scripts.get(packageName) ?? []),
        ].includes(script),
    )
    .map(([text]) => text)
  expect(unknown).toEqual([])
})

/** Returns the fenced code blocks and code spans of a document. */
const codeIn = (text: string) =>
  [
    ...text.matchAll(/^```[\s\S]*?^```$/gm),
    ...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`[^`]+`/g),
  ]
    .map(([code]) => code)
    .join('\n')

test.each([
  ['packages/typed-id/src/cli/help.ts', 'docs/guide/'],
  ['apps/api/src/commands/run.ts', 'docs/operations/'],
])('every option of %s is documented in %s', (source, page) => {
  const text = documents
    .filter((file) => file.startsWith(page))
    .map(read)
    .join('')
  const options = new Set(read(source).match(/--[a-z][a-z-]+/g))
  expect(
    [...options].filter((option) => !text.includes(option)),
    `describe these options in ${page}`,
  ).toEqual([])
})

describe('links', () => {
  const { repository } = JSON.parse(read('packages/typed-id/package.json'))
  /**
   * The start of an absolute link to a file of the repository: registries show
   * the README of the library.
   */
  const absolute = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/HEAD/`
  /** Returns GitHub's id of each heading of a document. */
  const anchorsOf = (document: string): Set<string> => {
    const anchors = new Set<string>()
    const text = withoutCode(read(document))
    for (const [, heading = ''] of text.matchAll(/^#+ (.*)$/gm)) {
      const slug = heading
        .toLowerCase()
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-')
      let anchor = slug
      for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`
      anchors.add(anchor)
    }
    return anchors
  }
  const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```$/gm, '')

  test.for(documents)(
    'of %s lead to files and headings that exist',
    (document) => {
      const text = withoutCode(read(document)).replace(/`[^`\n]*`/g, '')
      const broken = [...text.matchAll(/\]\(([^)\s]+)\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^[a-z]+:/.test(link) || link.startsWith(absolute))
        .filter((link) => {
          const [path = '', anchor] = link.split('#')
          const target = path.startsWith(absolute)
            ? path.slice(absolute.length)
            : path === ''
              ? document
              : join(dirname(document), path)
          if (!existsSync(join(root, target))) return true
          return (
            anchor !== undefined &&
            !(target.endsWith('.md') && anchorsOf(target).has(anchor))
          )
        })
      expect(broken).toEqual([])
    },
  )
})
