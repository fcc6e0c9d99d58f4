import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { findIds } from '../../src/cli/find-ids.ts'
import { escapeText } from '../../src/cli/terminal.ts'
import { defineId } from '../../src/index.ts'
import { SCAN_VECTORS } from './scan-vectors.ts'
import { cli } from './terminal.ts'

const uuid = '0190163d-8694-739b-aea5-966c26f8ad91'
const suffix = '01j0b3v1mmeedtx9cpdgkfhbch'
const standard = `user-${uuid}`
const short = `user_${suffix}`

async function scan(
  chunks: readonly (string | Uint8Array)[],
  ...args: string[]
) {
  const { code, out, err } = await cli(['scan', ...args], chunks)
  const lines = out.split('\n').slice(0, -1)
  return { code, err, counts: lines.map((line) => JSON.parse(line)) }
}

const count = (type: string, standard: number, short = 0, invalid = 0) => ({
  type,
  standard,
  short,
  invalid,
})

test.each(SCAN_VECTORS)('scan finds $why', async ({ bytes, found }) => {
  expect([...findIds(bytes.toString('latin1'), 0, bytes.length)]).toEqual(found)

  const counts = new Map(found.map(({ prefix }) => [prefix, count(prefix, 0)]))
  let messages = ''
  for (const { form, prefix, text, id } of found) {
    const counted = counts.get(prefix) as ReturnType<typeof count>
    counted[text === id ? form : 'invalid']++
    if (text !== id)
      messages += `line 3: "${escapeText(utf8(text))}" is not an id, did you mean ${id}?\n`
  }
  const whole = await scan(['first line\n\n', bytes])
  expect(whole.code).toBe(messages ? 1 : 0)
  expect(whole.err).toBe(found.length > 0 ? messages : 'no ids found\n')
  expect(
    new Map(whole.counts.map((counted) => [counted.type, counted])),
  ).toEqual(counts)
  if (counts.size === 1)
    expect((await scan([bytes], '--type', ...counts.keys())).counts).toEqual([
      ...counts.values(),
    ])
})

const utf8 = (latin1: string) => Buffer.from(latin1, 'latin1').toString()

test('scan --type suggests an id for a prefix in another case', async () => {
  const text = `USER-${uuid} ${standard} team_${suffix.toUpperCase()}`
  expect(await scan([text], '--type', 'user')).toEqual({
    code: 1,
    err: `line 1: "USER-${uuid}" is not an id, did you mean ${standard}?\n`,
    counts: [count('user', 1, 0, 1)],
  })
  expect(await scan([text], '--type', 'role')).toEqual({
    code: 0,
    err: 'no ids found\n',
    counts: [],
  })
})

describe('the output of scan', () => {
  const text = `${standard} ${short} ${standard} team_${suffix} USER_${suffix.toUpperCase()}`

  test('is JSON, sorted by count', async () => {
    const { out } = await cli(['scan'], [text])
    expect(out).toBe(
      '{"type":"user","standard":2,"short":1,"invalid":1}\n{"type":"team","standard":0,"short":1,"invalid":0}\n',
    )
    expect(
      (await cli(['scan', '--json'], [text], { stdoutIsTTY: true })).out,
    ).toBe(out)
  })

  test('is a table on a terminal, sorted by type where counts are equal, as wide as the longest type', async () => {
    const others = ['b', 'longest', 'a'].map((type) => `${type}-${uuid}`)
    const input = [text, ...others].join(' ')
    const { out } = await cli(['scan'], [input], { stdoutIsTTY: true })
    expect(out.split('\n')).toEqual([
      'type       standard       short     invalid',
      'user              2           1           1',
      'a                 1           0           0',
      'b                 1           0           0',
      'longest           1           0           0',
      'team              0           1           0',
      '',
    ])
  })

  test('names the line of each look-alike, wherever chunks end', async () => {
    const lines = Array.from({ length: 300 }, (_, i) =>
      i % 100 === 99 ? standard.toUpperCase() : 'x',
    )
    const bytes = Buffer.from(lines.join('\n'))
    for (const at of [1, 250, bytes.length]) {
      const chunks = [bytes.subarray(0, at), bytes.subarray(at)]
      expect((await scan(chunks)).err.match(/^line \d+/gm)).toEqual([
        'line 100',
        'line 200',
        'line 300',
      ])
    }
  })

  test('is empty without ids', async () => {
    const empty = { code: 0, out: '', err: 'no ids found\n' }
    expect(await cli(['scan'], ['nothing'], { stdoutIsTTY: true })).toEqual(
      empty,
    )
    expect(await cli(['scan', '-'])).toEqual(empty)
  })

  test('is about a file if one is named', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'typed-id-scan-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const file = join(folder, 'app.log')
    await writeFile(file, `${text}\n`)
    expect(await cli(['scan', file])).toEqual(await cli(['scan'], [text]))
    const missing = cli(['scan', '/no/file'])
    await expect(missing).rejects.toThrow('cannot read /no/file: no such file')
  })

  test('lists 1,000 types and counts the others together', async () => {
    const ids = Array.from({ length: 1500 }, (_, i) => `t${i}-${uuid}`)
    const { counts } = await scan([ids.join('\n')])
    expect(counts).toHaveLength(1001)
    expect(counts[0]).toEqual(count('(other types)', 500))
  })
})

test.each([
  ['no id after \u{10428}, a letter', `\u{10428}${standard}`, []],
  ['no id before \u{10428}, a letter', `${standard}\u{10428}`, []],
  [
    'no look-alike with encoded hyphens before \u{10428}',
    `${standard.replaceAll('-', '%2D')}\u{10428}`,
    [],
  ],
  [
    'an id between symbols',
    `\u{1f469}${standard}\u{1f469}`,
    [count('user', 1)],
  ],
])('scan finds %s, wherever its bytes are divided', async (_, text, counts) => {
  const bytes = Buffer.from(text)
  for (let at = 1; at < bytes.length; at += 1) {
    const chunks = [bytes.subarray(0, at), bytes.subarray(at)]
    expect((await scan(chunks)).counts, `${at}`).toEqual(counts)
  }
})

/**
 * Generates text without ids: no suffix starts with a 9 or one of these
 * letters. The last character cannot be part of an id.
 */
const garbage = fc
  .tuple(
    fc.oneof(
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      fc
        .string({
          unit: fc.constantFrom(...'user-_9aZ\\n%\x1b[m'),
          maxLength: 200,
        })
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
  const pieces = fc.array(fc.tuple(garbage, fc.option(planted)), {
    maxLength: 10,
  })
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
        return [
          bytes,
          Buffer.from(id.form === 'short' ? Id.toShort(text) : text),
          Buffer.from(' '),
        ]
      })
      // The input starts with a space: two random bytes can be a byte order
      // mark of UTF-16.
      const all = Buffer.concat([Buffer.from(' '), ...parts])
      const places = [
        0,
        ...cuts.map((cut) => cut % (all.length + 1)).toSorted((a, b) => a - b),
        all.length,
      ]
      const { code, counts } = await scan(
        places.slice(1).map((end, i) => all.subarray(places[i], end)),
      )
      expect(code).toBe(0)
      expect(new Map(counts.map((counted) => [counted.type, counted]))).toEqual(
        expected,
      )
    }),
    { numRuns: 500 },
  )
})
