import { describe, expect, test } from 'vitest'
import { formatAge } from '../../src/cli/inspect.ts'
import { defineId } from '../../src/index.ts'
import { cli, messageFor } from './terminal.ts'

const UserId = defineId('user')
const { example } = UserId
const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const UPPER = 'read in lower case, in which ids are written'

const TERMINAL = { stdoutIsTTY: true }

describe('new', () => {
  test('generates one standard version 7 id', async () => {
    const { code, out } = await cli(['new', 'user'])
    expect([code, UserId.version(UserId.parse(out.trimEnd()))]).toEqual([0, 7])
  })

  test.each([0, 10_001])('generates %i different ids', async (count) => {
    const { out } = await cli(['new', 'user', '-n', String(count)])
    const ids = out.split('\n').slice(0, -1)
    expect(ids.every(UserId.is)).toBe(true)
    expect(new Set(ids).size).toBe(count)
  })

  test('--short and --v4 can be combined', async () => {
    const { out } = await cli(['new', 'user', '--short', '--v4'])
    expect(UserId.toUuid(UserId.fromShort(out.trimEnd())).charAt(14)).toBe('4')
  })
})

describe('inspect', () => {
  test('writes JSON if the output is not a terminal', async () => {
    const { out } = await cli(['inspect', 'user_01j0b3v1mmeedtx9cpdgkfhbch'])
    expect(JSON.parse(out)).toEqual({
      ...{ type: 'user', form: 'short', standard: example, uuid: UUID },
      short: 'user_01j0b3v1mmeedtx9cpdgkfhbch',
      bytes: '01 90 16 3d 86 94 73 9b ae a5 96 6c 26 f8 ad 91',
      version: 7,
      created: '2024-06-14T10:14:09.300Z',
      age: expect.stringMatching(/^\d+ years? ago$/),
    })
  })

  test('writes a table on a terminal, and JSON with --json', async () => {
    const { out } = await cli(['inspect', example], [], TERMINAL)
    expect(out).toMatch(
      /^type {6}user\nform {6}standard\n(.+\n){5}created {3}2024-06-14T10:14:09.300Z \(.+ ago\)\n\n$/,
    )
    const json = await cli(['inspect', example, '--json'], [], TERMINAL)
    expect(json.out).toMatch(/^\{"type":"user"/)
  })

  test.each([
    [UUID, null, 'a bare UUID, without a type'],
    [UUID.toUpperCase(), null, `a bare UUID, without a type, ${UPPER}`],
    [example.toUpperCase(), 'user', UPPER],
  ])('reads %s with a remark', async (text, type, remark) => {
    const { code, out } = await cli(['inspect', text])
    expect({ code, ...JSON.parse(out) }).toMatchObject({
      ...{ code: 0, type, uuid: UUID, version: 7, remark },
      form: type ? 'standard' : 'uuid',
    })
    const { out: table } = await cli(['inspect', text], [], TERMINAL)
    expect(table).toMatch(new RegExp(`^remark {4}${remark}\n`))
    for (const strict of [
      ['check'],
      ['inspect', '--type', 'user'],
      ['inspect', '--from', 'short'],
    ])
      expect((await cli([...strict, text])).code).toBe(1)
  })

  test.each([
    ['00000000-0000-0000-0000-000000000000', 'nil'],
    ['ffffffff-ffff-ffff-ffff-ffffffffffff', 'max'],
    ['550e8400-e29b-41d4-a716-446655440000', 4],
    ['550e8400-e29b-41d4-c716-446655440000', null],
  ])(
    'shows %s as version %s without a creation time',
    async (uuid, version) => {
      const args = ['inspect', uuid, '--from', 'uuid', '--type', 'user']
      const { out } = await cli(args)
      const times = { created: null, age: null }
      expect(JSON.parse(out)).toMatchObject({ form: 'uuid', version, ...times })
      const table = await cli(['inspect', `user-${uuid}`], [], TERMINAL)
      expect(table.out).toContain(
        `version   ${version ?? 'not defined by RFC 9562'}\ncreated   unknown, only version 7 is read`,
      )
    },
  )

  test('reports an invalid id and shows the others', async () => {
    const { code, out, err } = await cli(['inspect', 'x', example])
    expect(code).toBe(1)
    expect(JSON.parse(out).standard).toBe(example)
    expect(err).toBe(
      `argument 1: ${messageFor('x')}\n1 of 2 arguments invalid\n`,
    )
  })

  test.each([
    [0, 'now'],
    [-1, '1 second ago'],
    [-60, '1 minute ago'],
    [-3 * 3600, '3 hours ago'],
    [2 * 86_400, 'in 2 days'],
    [-40 * 86_400, '1 month ago'],
    [-800 * 86_400, '2 years ago'],
  ])('%i seconds from now is %s', (seconds, words) => {
    expect(formatAge(seconds * 1000, 0)).toBe(words)
  })
})

describe('an invalid command line is reported with exit code 2', () => {
  // biome-ignore format: one command a line
  test.each([
    [[], 'Missing command'],
    [['log'], 'Unknown command "log"\n'],
    [['inspekt'], 'Unknown command "inspekt", did you mean inspect?'],
    [['--json', 'inspect'], 'Missing command before "--json"'],
    [['new'], 'new expects one prefix'],
    [['new', 'user', 'team'], 'new expects one prefix'],
    [['new', 'us-er'], 'us-er'],
    [['new', 'user', '--long'], "Unknown option '--long'\n"],
    [['new', 'user', '-n', '1e3'], 'whole number, received "1e3"'],
    [['new', 'user', '-n', '9'.repeat(20)], '--count expects a whole number'],
    [['convert'], '--to expects standard, short, uuid, base62\n'],
    [['check', '--from', 'hex'], '--from expects standard, short, uuid, base62, received "hex"'],
    [['check', '--from', 'uuid'], '--from uuid requires --type'],
    [['convert', '--to', 'uuid', example, ' '], 'expected an id in each argument, received " "'],
    [['check', '--file', 'ids.txt', example], 'expected ids or --file, received both'],
    [['sql', 'mysql', '--types', 'user'], 'sql expects one engine: postgres'],
    [['sql', 'postgres'], 'sql expects --types with prefixes, such as'],
    [['sql', 'postgres', '--types', "a'"], 'letters and digits, received "a\'"'],
    [['sql', 'postgres', '--types', 'a,a'], 'one type per prefix, received "a"'],
    [['sql', 'postgres', '--types', 'a'.repeat(61)], 'a prefix for PostgreSQL has at most 60 characters'],
    [['sql', 'postgres', '--types', 'a', '--union', 'a-b'], '--union expects 1 to 63 letters, digits and underscores, received "a-b"'],
    [['sql', 'postgres', '--types', 'a,b', '--union', 'a_id'], '--union expects another name than a_id'],
  ])('%j', async (args, message) => {
    const { code, out, err } = await cli(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^typed-id: /)
    expect(err).toContain(message)
    expect(err).toMatch(/\nTry: typed-id --help\n$/)
  })
})

test('help, --help and -h show the commands, and --version the version', async () => {
  for (const args of [['--help'], ['-h'], ['help'], ['help', '--help']])
    expect((await cli(args)).out).toMatch(
      /^Generate, read, convert and check typed ids\.\n(.*\n)+Examples\n/,
    )
  for (const args of [['--version'], ['-V'], ['check', '--version']])
    expect((await cli(args)).out).toBe('1.2.3\n')
  expect((await cli(['check', '--', '--help', '-h'])).err).toContain(
    'argument 1: not a valid id: expected',
  )
})

test('help of a command shows its options and examples, and no others', async () => {
  for (const args of [
    ['help', 'inspect'],
    ['inspect', '--help'],
    ['inspect', '--bad', '-h'],
  ])
    expect(await cli(args)).toEqual({
      code: 0,
      out: `  typed-id inspect ID…    show the type, the time and all forms of an id, also
                          of a bare UUID or an id in upper case: [--json]

      --from FORM    input form (default: standard or short)
      --file FILE    read ids from the lines of a file
      --type TYPE    accept only ids of this type; --from uuid requires it
      --json         one JSON object per line (default unless on a terminal)

  typed-id inspect user_01j0b3v1mmeedtx9cpdgkfhbch
`,
      err: '',
    })
  const { out } = await cli(['help', 'new'])
  expect(out).toMatch(/\n {2}-n, --count .*\n {6}--short /)
  for (const command of ['convert', 'check', 'sql'])
    expect((await cli(['help', command])).out).toMatch(
      new RegExp(`^  typed-id ${command} `),
    )
})

test('a command that reads standard input says so on a terminal', async () => {
  const waiting = 'Reading standard input. Ctrl-D ends it.\n'
  for (const args of [['check'], ['inspect', '-']])
    expect((await cli(args, [], { stdinIsTTY: true })).err).toContain(waiting)
  for (const args of [
    ['check', example],
    ['new', 'user'],
  ])
    expect((await cli(args, [], { stdinIsTTY: true })).err).toBe('')
  expect((await cli(['check'])).err).toBe('')
})

test('new --json writes what inspect writes, for each new id', async () => {
  const { out } = await cli(['new', 'user', '-n', '2', '--json'])
  const [first = ''] = out.split('\n')
  const { standard } = JSON.parse(first)
  expect((await cli(['inspect', standard])).out).toBe(`${first}\n`)
  expect(out.trimEnd().split('\n')).toHaveLength(2)
})

test('control and bidi characters of arguments are escaped', async () => {
  for (const args of [
    ['new', 'user', '--\u001b[31mred'],
    ['convert', '--to', '\u202eshort\u009b\u007f'],
  ])
    expect((await cli(args)).err).toMatch(/^[\n -~]+$/)
})

const printSql = (types: string, ...args: string[]) =>
  cli(['sql', 'postgres', '--types', types, ...args])

test('sql prints its arguments, and the types in the given order with examples', async () => {
  const { code, out, err } = await printSql('user,team')
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(
    /^-- Printed by: typed-id sql postgres --types user,team\n[\s\S]+user-0190163d[\s\S]+team-0190163d/,
  )
  const options = ['--union', 'Subject', '--typeid', '--drop']
  expect((await printSql('a,b', ...options)).out).toMatch(
    /^-- Printed by: typed-id sql postgres --types a,b --union Subject --typeid --drop\n/,
  )
})

test('sql quotes a domain where PostgreSQL would change or reject its name', async () => {
  const { out } = await printSql('orderLine,2fa,user')
  expect(
    [...out.matchAll(/create domain (\S+)/g)].map(([, name]) => name),
  ).toEqual(['"orderLine_id"', '"2fa_id"', 'user_id'])
})
