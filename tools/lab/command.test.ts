import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { REPOSITORY } from 'testkit/repository.ts'
import { formatTable, replaceSection } from 'testkit/tables.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { CAMPAIGNS, runLab } from './command.ts'
import { type Options, parseOptions, text } from './kit/campaign.ts'
import { writeMeasurement } from './kit/report.ts'

/** Runs `pnpm lab` in this process, and returns its exit code and its output. */
async function run(...args: string[]) {
  const lines: string[] = []
  const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line))
  const error = vi.spyOn(console, 'error').mockImplementation((line) => void lines.push(line))
  try {
    return { code: await runLab(args), output: lines.join('\n') }
  } finally {
    log.mockRestore()
    error.mockRestore()
  }
}

test('without a name, lists every campaign', async () => {
  const { code, output } = await run()
  expect(code).toBe(0)
  for (const name of Object.keys(CAMPAIGNS)) expect(output).toContain(`  ${name} `)
})

test('rejects an unknown name with the list', async () => {
  const { code, output } = await run('nope')
  expect(code).toBe(1)
  expect(output).toMatch(/^unknown campaign "nope"\n/)
  expect(output).toContain('  history ')
})

test.each([
  [['--minutes', 'x'], '--minutes must be a number above 0, received "x"'],
  [['--minutes', '0'], '--minutes must be a number above 0, received "0"'],
  [['--clients', '0'], '--clients must be a whole number above 0, received "0"'],
  [['--clients', '1.5'], '--clients must be a whole number above 0, received "1.5"'],
  [['--clients', '1', '--clients', '2'], '--clients must be a whole number above 0, received "1,2"'],
  [['--database', 'disk'], '--database must be some of postgres, sqlite'],
  [['--database', 'sqlite,sqlite'], '--database must be some of postgres, sqlite'],
  [['--nope', '1'], "Unknown option '--nope'"],
  [['--write', 'nope.md'], '--write must be an existing file, received "nope.md"'],
])('rejects the options %j and names the cause', async (args, message) => {
  const { code, output } = await run('history', ...args)
  expect(code).toBe(1)
  expect(output).toContain(message)
})

test.each(['database', 'log', 'pin', 'synchronous-commit'])(
  'rejects two values of --%s, of which bench takes one',
  async (name) => {
    const value = CAMPAIGNS.bench?.options[name]?.expected.replace('one of ', '').replaceAll(', ', ',') ?? ''
    const { code, output } = await run('bench', `--${name}`, value)
    expect(code).toBe(1)
    expect(output).toContain(`--${name} must be one of `)
  },
)

test.each([
  ['history', ['<!-- machine --><!-- /machine -->'], '<!-- history --> and <!-- /history -->'],
  ['history', ['<!-- history --><!-- /history -->'], '<!-- machine --> and <!-- /machine -->'],
  [
    'bench',
    ['<!-- machine --><!-- /machine --><!-- bench --><!-- /bench -->', '--section', 'log'],
    '<!-- log -->',
  ],
])(
  'rejects a document without a section of %s before the campaign runs',
  async (name, [text = '', ...args], missing) => {
    const { code, output } = await run(name, '--write', createDocument(text), ...args)
    expect(code).toBe(1)
    expect(output).toContain(missing)
  },
)

test('the README describes every campaign', () => {
  const readme = readFileSync(new URL('README.md', import.meta.url), 'utf8')
  for (const name of Object.keys(CAMPAIGNS)) expect(readme).toContain(`\`pnpm lab ${name}`)
})

test('the campaigns accept the options of every command in the documents', () => {
  const files = globSync(['*.md', 'docs/**/*.md', 'tools/lab/*.md', '.ci/run'], { cwd: REPOSITORY })
  const documents = files.map((file) => readFileSync(new URL(file, REPOSITORY), 'utf8')).join('\n')
  const commands = [...documents.matchAll(/pnpm (?:lab (\w+)|bench:api)((?:\s--[\w-]+ [\w,./-]+)+)/g)]
  expect(commands.length).toBeGreaterThan(5)
  for (const [command, name = 'bench', args = ''] of commands) {
    const options: Options = { ...CAMPAIGNS[name]?.options, write: text('document') }
    expect(() => parseOptions(options, args.trim().split(/\s+/)), command).not.toThrow()
  }
})

const TABLE = {
  columns: ['killed', 'times'],
  rows: [
    ['a | b', 1200],
    ['c', 3],
  ],
}

test('formats a table as aligned Markdown', () => {
  expect(formatTable(TABLE)).toBe(
    ['| killed | times |', '| ------ | ----: |', '| a \\| b | 1,200 |', '| c      |     3 |'].join('\n'),
  )
})

test('right-aligns a column of texts that are all numbers', () => {
  expect(
    formatTable({
      columns: ['join, µs', 'ids'],
      rows: [
        ['0.20', '1'],
        ['12.50', 'none'],
      ],
    }),
  ).toBe(
    ['| join, µs | ids  |', '| -------: | ---- |', '|     0.20 | 1    |', '|    12.50 | none |'].join('\n'),
  )
})

function createDocument(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'api-lab-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'reliability.md')
  writeFileSync(file, text)
  return file
}

describe('the measurement', () => {
  const sections = '<!-- kill -->\n\nold\n\n<!-- /kill -->\n'
  const measured = (day: number) =>
    `Measured on November ${day}, 2026 on this machine: x, 2 cores.\nSystem calls: …`
  const document = (machine: string, kill: string) =>
    `<!-- machine -->\n\n${machine}\n\n<!-- /machine -->\n\n<!-- kill -->\n\n${kill}\n\n<!-- /kill -->\n`

  test.each(['', '\n\n', `\n\n${measured(1).replace('…', 'older')}\n\n`])(
    'is written once for the document when its section has %j',
    (before) => {
      const file = createDocument(`<!-- machine -->${before}<!-- /machine -->\n\n${sections}`)
      writeMeasurement(file, 'kill', 'new', measured(1))
      expect(readFileSync(file, 'utf8')).toBe(document(measured(1), 'new'))
    },
  )

  test('of another date is one line above its own table', () => {
    const file = createDocument(document(measured(1), 'old'))
    writeMeasurement(file, 'kill', 'new', measured(2))
    const line = 'Measured on November 2, 2026 on this machine: x, 2 cores.'
    expect(readFileSync(file, 'utf8')).toBe(document(measured(1), `${line}\n\nnew`))
  })

  test('needs a section in the document', () => {
    const file = createDocument(sections)
    expect(() => writeMeasurement(file, 'kill', 'new', measured(1))).toThrow('<!-- machine -->')
  })
})

test('replaces the section of a document, and leaves the rest unchanged', () => {
  const document = 'before\n\n<!-- kill -->\n\nold\n\n<!-- /kill -->\n\nafter\n'
  expect(replaceSection(document, 'kill', 'new')).toBe(document.replace('old', 'new'))
})

test.each(['no markers', '<!-- kill --> not closed', '<!-- kill --><!-- kill --><!-- /kill -->'])(
  'rejects the document "%s"',
  (document) => {
    expect(() => replaceSection(document, 'kill', 'new')).toThrow(
      'expected one section between the lines <!-- kill --> and <!-- /kill -->',
    )
  },
)
