import { readFileSync } from 'node:fs'
import { SCAN_VECTORS } from 'testkit/scan-vectors.ts'
import { defineId } from 'typed-id'
import { parseLoose } from 'typed-id/loose'
import { describe, expect, test } from 'vitest'
import { findFacts, splitId } from '../src/facts.ts'
import { findAll, PLAIN_UUID } from '../src/find-all.ts'
import { createLog } from '../src/log.ts'
import { findReadings } from '../src/readings.ts'

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'
const STANDARD = `user-${UUID}`
const SHORT = 'user_01j0b3v1mmeedtx9cpdgkfhbch'
const BYTES = '01 90 16 3d 86 94 73 9b ae a5 96 6c 26 f8 ad 91'.split(' ')

/** Texts that are valid, with the form that they are in. All contain the same 128 bits. */
const VALID: readonly (readonly [text: string, kind: string])[] = [
  [STANDARD, 'Typed id, standard form'],
  [`  "${STANDARD}",\n`, 'Typed id, standard form'],
  [SHORT, 'Typed id, short form (TypeID)'],
  [SHORT.replace('user', 'my_user'), 'Typed id, short form (TypeID)'],
  [SHORT.replace('user', 'my__user'), 'Typed id, short form (TypeID)'],
  [STANDARD.replace('user', 'a'.repeat(63)), 'Typed id, standard form'],
  [SHORT.slice(5), 'TypeID without a type'],
  ['user_2wq5mOzTzOALmI3LYnPlJ', 'Base 62'],
  ['2wq5mOzTzOALmI3LYnPlJ', 'Base 62'],
  [UUID, 'UUID'],
  [`{${UUID.toUpperCase()}}`, 'UUID'],
  [`urn:uuid:${UUID}`, 'UUID'],
  [BYTES.join(''), '16 bytes in hexadecimal'],
  [`<Buffer ${BYTES.join(' ')}>`, '16 bytes in hexadecimal'],
  [`\\x${BYTES.join('')}`, '16 bytes in hexadecimal'],
  [`0x${BYTES.join('')}`, '16 bytes in hexadecimal'],
  [`X'${BYTES.join('')}'`, '16 bytes in hexadecimal'],
  [BYTES.join(':'), '16 bytes in hexadecimal'],
  [`[${BYTES.map((byte) => `0x${byte}`).join(', ')}]`, '16 bytes in hexadecimal'],
  [`[${BYTES.map((byte) => Number.parseInt(byte, 16)).join(', ')}]`, '16 bytes in decimal'],
  ['AZAWPYaUc5uupZZsJvitkQ==', '16 bytes in base 64'],
  ['AZAWPYaUc5uupZZsJvitkQ', '16 bytes in base 64'],
]

/** Texts that only look like an id: what they should be, and part of the reason. */
const INVALID: readonly (readonly [text: string, expected: string, reason: string])[] = [
  [STANDARD.toUpperCase(), STANDARD, 'lower case'],
  [SHORT.toUpperCase(), SHORT, 'lower case'],
  [SHORT.replace('01j0', 'olj0'), SHORT, 'I, L and O'],
  [SHORT.replaceAll('v', 'u'), SHORT, 'U is no digit'],
  [STANDARD.replace('0190', 'OI9O'), STANDARD, 'I, L and O'],
  [`user-${BYTES.join('')}`, STANDARD, 'Hyphens are missing'],
  [STANDARD.replaceAll('-', '–'), STANDARD, 'a dash'],
  [`user_${UUID}`, STANDARD, 'is "_" instead of "-"'],
  [`user:${UUID}`, STANDARD, 'is ":" instead of "-"'],
  [`user - ${UUID}`, STANDARD, 'is " - " instead of "-"'],
  [`user${UUID}`, STANDARD, '- is missing'],
  [SHORT.replace('_', '-'), SHORT, 'is "-" instead of "_"'],
  [SHORT.replace('_', ''), SHORT, '_ is missing'],
]

/** Texts that are no id in any form. */
const OTHERS = [
  '',
  'hello',
  'da39a3ee5e6b4b0d3255bfef95601890afd80709', // SHA-1
  'd7a8fbb307d7809469ca9abcb0082e4f8d5651e46d3cdb762d02d0bf37c9e592', // SHA-256
  'electroencephalographically',
  'user_profile',
  `${STANDARD}-64.png`,
  `m\u00fc${STANDARD}`,
  'user_81j0b3v1mmeedtx9cpdgkfhbch', // more than 128 bits
  STANDARD.replace('user', 'a'.repeat(64)),
  SHORT.replace('user', 'a'.repeat(64)),
  SHORT.replace('user', 'user_1'), // TypeIDs have no digit or upper case in a prefix
  SHORT.replace('user', 'My_user'),
  `urn:uuid:${STANDARD}`,
  '1, 2, 3',
]

describe('a text', () => {
  test.each(VALID)('%s is read without a correction', (text, kind) => {
    const [first, ...others] = findReadings(text)
    expect(others).toEqual([])
    expect(first).toMatchObject({ kind, uuid: UUID, corrections: [] })
  })

  test.each(INVALID)('%s is not valid, and looks like %s', (text, expected, reason) => {
    const readings = findReadings(text)
    expect(readings).toHaveLength(1)
    expect(readings[0]).toMatchObject({ prefix: 'user', uuid: UUID, expected })
    expect(readings[0]?.corrections.join('\n')).toContain(reason)
  })

  test.each(OTHERS)('"%s" is not an id', (text) => {
    expect(findReadings(text)).toEqual([])
  })

  test('with two meanings has two readings', () => {
    const kinds = findReadings('2aUyqjCzEIiEcYMKj7TZtw').map(({ kind }) => kind)
    expect(kinds).toEqual(['Base 62', '16 bytes in base 64'])
  })

  test('in upper case and without a type is no TypeID', () => {
    const [reading] = findReadings(SHORT.slice(5).toUpperCase())
    expect(reading).toMatchObject({ expected: SHORT.slice(5), corrections: ['Ids are in lower case.'] })
  })
})

test.each([
  ['c232ab00-9414-11ec-b3c8-9f6bdeced846', '2022-02-22T19:22:22.000Z', '1'], // RFC 9562, appendix A
  ['1ec9414c-232a-6b00-b3c8-9f6bdeced846', '2022-02-22T19:22:22.000Z', '6'],
  ['017f22e2-79b0-7cc3-98c4-dc0c0c07398f', '2022-02-22T19:22:22.000Z', '7'],
  ['919108f7-52d1-4320-9bac-f847db4148a8', undefined, '4'],
  ['2489e9ad-2ee2-8e00-8ec9-32d5f69181c0', undefined, '8'],
  ['00000000-0000-0000-0000-000000000000', undefined, 'nil'],
])('the time of %s is %s', (uuid, time, version) => {
  const { properties, forms } = findFacts('', uuid, Date.now())
  expect(forms.find(({ name }) => name === 'Time, UTC')?.value).toBe(time)
  expect(properties.find(({ name }) => name === 'Version')?.value).toBe(version)
  const parts = splitId('', uuid).map(([text]) => text)
  expect(parts.join('')).toBe(uuid)
})

describe('a log', () => {
  const line = (text: string) => `${text} ü ${STANDARD} ${SHORT.toUpperCase()}\n`

  /** Searches a text, and returns the log. */
  async function search(...text: BlobPart[]) {
    const log = createLog(new Blob(text))
    for await (const _ of log.scan());
    return log
  }

  test('has the same rows and ids whether it is read forwards or in its middle', async () => {
    // Short lines, lines longer than a row, and one longer than a chunk.
    const text = [1, 30, 400, 900, 5000].map((length) => line('x '.repeat(length)).repeat(80)).join('')
    const log = await search(`${text}${line('y,'.repeat(1_000_000))}last ${UUID}`)
    const { lines, shown, types } = log.progress()
    expect(lines).toBe(402)
    expect(types).toEqual([
      { name: 'user', ids: 401, invalid: 401 },
      { name: 'plain uuid', ids: 1, invalid: 0 },
    ])
    const rows = await log.readRows(0, shown)
    expect(rows.map(({ row }) => row)).toEqual(rows.map((_, index) => index))
    const parts = rows.flatMap(({ parts }) => parts).filter((part) => typeof part !== 'string')
    expect(parts.length).toBe(803)
    expect(rows.filter(({ line }) => line > 0).map(({ line }) => line)).toEqual(
      rows.filter(({ line }) => line > 0).map((_, index) => index + 1),
    )
    for (const first of [63, 64, 65, shown - 2])
      expect(await log.readRows(first, 2)).toEqual(rows.slice(first, first + 2))
    const longest = Math.max(
      ...rows.map(
        ({ parts }) => parts.map((part) => (typeof part === 'string' ? part : part.text)).join('').length,
      ),
    )
    expect(longest).toBeLessThanOrEqual(400)
  })

  test('is filtered by type, and by texts that only look like an id', async () => {
    const log = await search(`a\n${STANDARD}\nb\n${SHORT.toUpperCase()}\n${UUID}\n`)
    const lines = async () => (await log.readRows(0, 99)).map(({ line }) => line)
    expect(await lines()).toEqual([1, 2, 3, 4, 5])
    log.filter({ types: [0], invalid: false })
    expect(await lines()).toEqual([2, 4])
    log.filter({ types: [1], invalid: false })
    expect(await lines()).toEqual([5])
    log.filter({ types: [], invalid: true })
    expect(await lines()).toEqual([4])
    expect([log.findNeighbour(0, 1), log.findNeighbour(0, -1)]).toEqual([undefined, undefined])
    log.filter(undefined)
    expect([log.findNeighbour(0, 1), log.findNeighbour(1, -1), log.findNeighbour(3, -1)]).toEqual([
      1,
      undefined,
      1,
    ])
  })

  test('finds the lines with a text, in any case, also where a row, a chunk or a character is cut', async () => {
    const long = `${'x'.repeat(390)}Straße needle${'y'.repeat(1_000_000)}nee`
    const log = await search(`a\n${long}dle\nNEEDLE \u33e9\nÉ\n(.*)\n`)
    const lines = async (text: string) => {
      log.filter({ types: [], invalid: false, text }, await log.findRows(text, () => true))
      return (await log.readRows(0, 99)).map(({ line }) => line)
    }
    expect(await lines('needle')).toEqual([0, 0, 3])
    expect(await lines('straße needle')).toEqual([])
    expect(await lines('Straße Needle')).toEqual([])
    expect(await lines('Straße needle')).toEqual([2])
    expect(await lines('É')).toEqual([4])
    expect(await lines('(.*)')).toEqual([5])
  })

  test('finds an id in both of its forms, and with a filter for types and one for a text, lines with both', async () => {
    const log = await search(
      `${SHORT}\nteam-${UUID} ${STANDARD.toUpperCase()}\n${UUID}\n${STANDARD} ${STANDARD}\n`,
    )
    const key = log.findKeyOf(STANDARD) as number
    expect(log.findKeyOf(SHORT)).toBe(key)
    expect(log.findOccurrences(key)).toEqual({ count: 4, first: 1, last: 4 })
    expect(log.progress().distinct).toBe(3)
    const neighbours = [-1, 0, 1, 3].map((row) => log.findNeighbour(row, 1, key))
    expect(neighbours).toEqual([0, 1, 3, undefined])
    expect(log.findNeighbour(4, -1, key)).toBe(3)
    log.filter({ types: [1], invalid: false, text: SHORT }, await log.findRows(SHORT, () => true))
    expect((await log.readRows(0, 99)).map(({ line }) => line)).toEqual([2])
    expect(await (await log.writeIds(false)).text()).toBe(`${STANDARD}\nteam-${UUID}\n`)
    log.filter(undefined)
    expect(await (await log.writeIds(true)).text()).toBe(
      [
        'type,id,created,count,first_line,last_line',
        `user,${STANDARD},2024-06-14T10:14:09.300Z,4,1,4`,
        `team,team-${UUID},2024-06-14T10:14:09.300Z,1,2,2`,
        `,${UUID},2024-06-14T10:14:09.300Z,1,3,3`,
        '',
      ].join('\n'),
    )
  })

  test.each(SCAN_VECTORS)(
    'has the ids that the command finds, and plain UUIDs: $why',
    async ({ bytes, found }) => {
      const expected = found.map(({ type, text, id, at }) => ({
        type: type || PLAIN_UUID,
        index: at,
        text: Buffer.from(text).toString('latin1'),
        id,
      }))
      expect(findAll(bytes.toString('latin1'), 0, bytes.length)).toEqual(expected)
      // A row ends at each position of the text, and the first chunk in its middle.
      const cuts = Array.from({ length: bytes.length + 1 }, (_, cut) => 400 - cut)
      for (const length of [...cuts, 0x1_0000 - (bytes.length >> 1)]) {
        const log = await search('. '.repeat(length).slice(-length), Uint8Array.from(bytes))
        const { shown, types } = log.progress()
        const ids = (await log.readRows(Math.max(0, shown - 3), 3))
          .flatMap(({ parts }) => parts)
          .filter((part) => typeof part !== 'string')
        expect(
          ids.map(({ type, text, id }) => ({ type: types[type]?.name, text, id })),
          `after ${length} bytes`,
        ).toEqual(found.map(({ type, text, id }) => ({ type: type || PLAIN_UUID, text, id })))
        expect(types.reduce((sum, { ids, invalid }) => sum + ids + invalid, 0)).toBe(found.length)
      }
    },
  )
})

const page = readFileSync(new URL('../../../docs/guide/loose.md', import.meta.url), 'utf8')
const typed = [...page.matchAll(/^\| `(".+")` +\| the id +\|/gm)].map(([, text]) =>
  JSON.parse(text as string),
)

test('the page about parseLoose has inputs', () => expect(typed.length).toBeGreaterThan(10))

test.each(typed)('suggests for %j the id that parseLoose returns', (text) => {
  const { data } = parseLoose(defineId('user'), text)
  expect(findReadings(text).map(({ prefix, uuid }) => `${prefix}-${uuid}`)).toContain(data)
})
