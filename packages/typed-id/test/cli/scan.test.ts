import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { defineId } from '../../src/index.ts'
import { cli } from './terminal.ts'

const uuid = '0190163d-8694-739b-aea5-966c26f8ad91'
const suffix = '01j0b3v1mmeedtx9cpdgkfhbch'
const standard = `user-${uuid}`
const short = `user_${suffix}`

async function scan(chunks: readonly (string | Uint8Array)[], ...args: string[]) {
  const { code, out, err } = await cli(['scan', ...args], chunks)
  const lines = out.split('\n').slice(0, -1)
  return { code, err, counts: lines.map((line) => JSON.parse(line)) }
}

const count = (type: string, standard: number, short = 0, invalid = 0) => ({ type, standard, short, invalid })

describe('scan finds an id', () => {
  test.each([
    ['alone', standard],
    ['in JSON', `{"id":"${standard}"}`],
    ['after an escaped line break in JSON', `{"message":"failed\\n${standard}\\tagain"}`],
    ['after an escaped code unit', `{"message":"\\u0022${standard}"}`],
    ['after an escaped backslash', `C:\\\\${standard}\\\\file`],
    ['in an encoded URL', `/next=%2Fusers%2F${standard}%2Froles`],
    ['in a coloured log', `\x1b[1;32m${standard}\x1b[0m`],
    ['in SQL', `insert into users values ('${standard}');`],
    ['between characters that are not ASCII', `»${standard}«用户`],
    ['between bytes that are not UTF-8', Buffer.from(`\xff${standard}\xfe`, 'latin1')],
    ['in the name of a file', `avatars/${standard}.png`],
  ])('%s', async (_, text) => {
    expect(await scan([text])).toEqual({ code: 0, err: '', counts: [count('user', 1)] })
  })
})

describe('scan finds a TypeID whose prefix has _', () => {
  test.each([
    ['alone', `order_line_${suffix}`, 'order_line'],
    ['after an escaped line break in JSON', `"\\norder_line_${suffix}"`, 'order_line'],
    ['in an encoded URL', `%2Forder_line_${suffix}`, 'order_line'],
    ['in a coloured log', `\x1b[1morder_line_${suffix}`, 'order_line'],
    ['with 63 characters', `a${'_'.repeat(61)}b_${suffix}`, `a${'_'.repeat(61)}b`],
  ])('%s', async (_, text, type) => {
    const found = { code: 0, err: '', counts: [count(type, 0, 1)] }
    expect(await scan([text])).toEqual(found)
    expect(await scan([`${short} ${text}`], '--type', type)).toEqual(found)
  })
})

test.each(['Han 用户', 'Kana ユーザー', 'punctuation »', 'emoji 👩'])(
  'scan finds an id next to %s, after which no space is needed',
  async (name) => {
    const word = name.split(' ')[1]
    expect(await scan([`${word}${standard}${word}`])).toEqual({
      code: 0,
      err: '',
      counts: [count('user', 1)],
    })
  },
)

describe('scan finds no id', () => {
  test.each([
    ['in a longer word', `my-${standard} My_${short} ${standard}-64.png ${short}_old ${standard}a`],
    ['next to a letter that is not ASCII', `é${standard} ${standard}ß ж${short} ${short}é ${short}\u0301`],
    [
      'after a prefix with _ that no TypeID has',
      `_a_${suffix} Order_line_${suffix} a1_b_${suffix} order_line-${uuid}`,
    ],
    ['in upper case after a prefix with _', `MY_USER_${suffix.toUpperCase()}`],
    ['after a prefix with _ of 64 characters', `${'a_'.repeat(31)}aa_${suffix}`],
    ['without a prefix', `${uuid} -${uuid} _${suffix} ${uuid}-${uuid}`],
    ['after a prefix of 64 characters', `${'a'.repeat(64)}-${uuid} ${'a'.repeat(200)}_${suffix}`],
    ['in an overflowing suffix', `user_8${suffix.slice(1)}`],
    ['in a name of 26 letters', 'get_internationalizationtaxes io_oliverandothersinthenation'],
  ])('%s', async (_, text) => {
    expect(await scan([text])).toEqual({ code: 0, err: 'no ids found\n', counts: [] })
  })
})

describe('scan suggests an id for', () => {
  test.each([
    ['a standard id in upper case', standard.toUpperCase(), standard],
    ['encoded hyphens', standard.replaceAll('-', '%2D'), standard],
    ['an encoded underscore', short.replace('_', '%5f'), short],
    ['a short id in upper case', short.toUpperCase(), short],
    ['a suffix in upper case', `user_${suffix.toUpperCase()}`, short],
    ['look-alike letters in a suffix', `user_Olj0b3vImmeedtx9cpdgkfhbch`, short],
    ['look-alike letters in a UUID', standard.replaceAll('0', 'O').replaceAll('1', 'l'), standard],
    ['a prefix in another case', `User-${uuid.toUpperCase()}`, `User-${uuid}`],
    ...['\u2010', '\u2011', '\u2013', '\u2212'].map((dash) => {
      const code = dash.charCodeAt(0).toString(16)
      return [`U+${code} instead of hyphens`, standard.replaceAll('-', dash), standard]
    }),
  ])('%s', async (_, text, id) => {
    const { code, err, counts } = await scan([`first line\n\n  (${text}) ${standard}\n`])
    const quoted = text?.replace(/[^ -~]/g, (unit) => `\\u{${unit.charCodeAt(0).toString(16)}}`)
    expect(err).toBe(`line 3: "${quoted}" is not an id, did you mean ${id}?\n`)
    expect(code).toBe(1)
    expect(counts.reduce((sum, { invalid }) => sum + invalid, 0)).toBe(1)
  })

  test('a prefix in another case than that of --type', async () => {
    const text = `USER-${uuid} ${standard} team_${suffix.toUpperCase()}`
    expect(await scan([text], '--type', 'user')).toEqual({
      code: 1,
      err: `line 1: "USER-${uuid}" is not an id, did you mean ${standard}?\n`,
      counts: [count('user', 1, 0, 1)],
    })
    expect(await scan([text], '--type', 'role')).toEqual({ code: 0, err: 'no ids found\n', counts: [] })
  })
})

describe('the output of scan', () => {
  const text = `${standard} ${short} ${standard} team_${suffix} USER_${suffix.toUpperCase()}`

  test('is JSON, sorted by count', async () => {
    const { out } = await cli(['scan'], [text])
    expect(out).toBe(
      '{"type":"user","standard":2,"short":1,"invalid":1}\n{"type":"team","standard":0,"short":1,"invalid":0}\n',
    )
    expect((await cli(['scan', '--json'], [text], { stdoutIsTTY: true })).out).toBe(out)
  })

  test('is a table on a terminal', async () => {
    const { out } = await cli(['scan'], [text], { stdoutIsTTY: true })
    expect(out.split('\n')).toEqual([
      'type    standard       short     invalid',
      'user           2           1           1',
      'team           0           1           0',
      '',
    ])
  })

  test('is empty without ids', async () => {
    const empty = { code: 0, out: '', err: 'no ids found\n' }
    expect(await cli(['scan'], ['nothing'], { stdoutIsTTY: true })).toEqual(empty)
    expect(await cli(['scan', '-'])).toEqual(empty)
  })

  test('is about a file if one is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typed-id-scan-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'app.log')
    await writeFile(file, `${text}\n`)
    expect(await cli(['scan', file])).toEqual(await cli(['scan'], [text]))
    const missing = cli(['scan', '/no/file'])
    await expect(missing).rejects.toMatchObject({ code: 'ENOENT' })
  })

  test('lists 1,000 types and counts the others together', async () => {
    const ids = Array.from({ length: 1500 }, (_, i) => `t${i}-${uuid}`)
    const { counts } = await scan([ids.join('\n')])
    expect(counts).toHaveLength(1001)
    expect(counts[0]).toEqual(count('(other types)', 500))
  })
})

/** Text without ids (no suffix starts with a 9 or one of these letters), which ends in a character that cannot be part of one. */
const garbage = fc
  .tuple(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .string({ unit: fc.constantFrom(...'user-_9aZ\\n%\x1b[m'), maxLength: 200 })
        .map((text) => Buffer.from(text)),
    ),
    fc.constantFrom(' ', '\n', '"', '/', '=', '(', '\xff'),
  )
  .map(([bytes, end]) => Buffer.concat([bytes, Buffer.from(end, 'latin1')]))

const planted = fc.record({
  type: fc.stringMatching(/^[a-zA-Z0-9]{1,63}$/),
  bytes: fc.uint8Array({ minLength: 16, maxLength: 16 }),
  form: fc.constantFrom('standard', 'short'),
})

test('scan finds every id planted in random bytes and nothing else, wherever they are divided into chunks', async () => {
  const pieces = fc.array(fc.tuple(garbage, fc.option(planted)), { maxLength: 10 })
  await fc.assert(
    fc.asyncProperty(pieces, fc.array(fc.nat()), async (pieces, cuts) => {
      const expected = new Map<string, ReturnType<typeof count>>()
      const parts = pieces.flatMap(([bytes, id]) => {
        if (!id) return [bytes]
        const Id = defineId<string>(id.type)
        const text = Id.fromBytes(id.bytes)
        const counted = expected.get(id.type) ?? count(id.type, 0)
        counted[id.form as 'standard' | 'short']++
        expected.set(id.type, counted)
        return [bytes, Buffer.from(id.form === 'short' ? Id.toShort(text) : text), Buffer.from(' ')]
      })
      // The first byte is not that of a UTF-16 byte order mark, which would change the meaning of all others.
      const all = Buffer.concat([Buffer.from(' '), ...parts])
      const places = [0, ...cuts.map((cut) => cut % (all.length + 1)).toSorted((a, b) => a - b), all.length]
      const { code, counts } = await scan(places.slice(1).map((end, i) => all.subarray(places[i], end)))
      expect(code).toBe(0)
      expect(new Map(counts.map((counted) => [counted.type, counted]))).toEqual(expected)
    }),
    { numRuns: 500 },
  )
})
