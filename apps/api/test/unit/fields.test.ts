import { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { booleanParameter, time } from '../../src/http/fields.ts'
import { toIssues } from '../../src/http/validation.ts'
import { isEmail, normalizeEmail } from '../../src/profile-a/store/email-address.ts'
import addresses from './email-addresses.json' with { type: 'json' }

const fields = z.object({ at: time().nullish(), flag: z.boolean().optional() })
const query = z.object({ flag: booleanParameter().optional() })

test.each([
  ['2026-11-23T12:00:00Z', '2026-11-23T12:00:00.000Z'],
  ['2026-11-23T12:00:00.123456Z', '2026-11-23T12:00:00.123Z'],
  ['2026-11-23T01:00:00+05:30', '2026-11-22T19:30:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  [null, null],
])('the time %j is stored as %j', (at, stored) => expect(fields.parse({ at }).at).toBe(stored))

const invalid = (input: object, schema: z.ZodType = fields, location: 'body' | 'query' = 'body') => {
  const { error } = schema.safeParse(input)
  return error && toIssues(location, input, error)
}

test.each(['', 'now', '2026-11-23', '2026-02-30T00:00:00Z', '2026-11-23T12:00:00'])(
  'the time %j is invalid',
  (at) =>
    expect(invalid({ at })).toEqual([
      { type: 'datetime_parsing', loc: ['body', 'at'], msg: 'Input should be a valid datetime' },
    ]),
)

test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
  'the time %s is in a year that no database stores',
  (at) => expect(invalid({ at })).toMatchObject([{ type: 'datetime_parsing', loc: ['body', 'at'] }]),
)

test('a boolean is true or false, in a query as text', () => {
  expect(['true', 'false'].map((flag) => query.parse({ flag }).flag)).toEqual([true, false])
  for (const flag of ['1', 'True', '', 'yes'])
    expect(invalid({ flag }, query, 'query')).toMatchObject([
      { type: 'bool_parsing', loc: ['query', 'flag'] },
    ])
  expect(invalid({ flag: 'true' })).toMatchObject([{ type: 'bool_type', loc: ['body', 'flag'] }])
})

test('the document describes them as a date-time and a boolean', () => {
  const schema = fields.extend({ ...query.shape, at: time() }).meta({ id: 'Fields' })
  const { components } = new OpenApiGeneratorV31([{ type: 'schema', schema }]).generateComponents()
  expect(components?.schemas?.Fields).toEqual({
    type: 'object',
    properties: {
      at: { type: 'string', format: 'date-time', example: '2026-11-23T12:00:00.000Z' },
      flag: { type: 'boolean' },
    },
    required: ['at'],
  })
})

test.for(addresses.accepted)('accepts the address %j', (address) => {
  expect(isEmail(address)).toBe(true)
})

test.for(addresses.rejected)('rejects the address %j', (address) => {
  expect(isEmail(address)).toBe(false)
})

test('accepts every address that earlier versions accepted, except labels that end with a hyphen or are too long', () => {
  // xn--a is not a valid A-label (RFC 5890), but it was accepted.
  expect(isEmail('ada@xn--a.com')).toBe(true)
  expect(isEmail(`${'x'.repeat(243)}@example.com`)).toBe(true)
  expect(isEmail('user@sub-.example.com')).toBe(false)
})

test.for([
  ['Ada@Example.COM', 'ada@example.com'],
  ['ZOË@BÜCHER.example', 'zoë@xn--bcher-kva.example'],
  ['Zoe\u0308@example.com', 'zoë@example.com'],
  ['a@BÜCHER.example', 'a@xn--bcher-kva.example'],
  ['a@XN--BCHER-KVA.example', 'a@xn--bcher-kva.example'],
  // Lower case can leave NFC: there is no precomposed capital letter for U+01F0.
  ['J\u030c@example.com', '\u01f0@example.com'],
  ['\u01f0@example.com', '\u01f0@example.com'],
  // The lower case of a sigma depends on the letters after it.
  ['ΟΔΟΣ@example.com', 'οδοσ@example.com'],
  ['οδος@example.com', 'οδοσ@example.com'],
  ['ΟΔΟΣ.Α@example.com', 'οδοσ.α@example.com'],
  ['οδος.α@example.com', 'οδοσ.α@example.com'],
  // Final sigmas are letters of their own in domain names.
  ['a@οδος.gr', 'a@xn--pxavbm.gr'],
])('normalizes %s to %s', ([address = '', normalized]) => {
  expect(normalizeEmail(address)).toBe(normalized)
})

test('a normalized address is in NFC and normalizes to itself, for each cased letter with and without a combining mark', () => {
  const wrong: string[] = []
  for (let code = 0x80; code <= 0x1ffff; code += 1) {
    const letter = String.fromCodePoint(code)
    if (!/\p{Cased}/u.test(letter)) continue
    for (const mark of ['', '\u030c', '\u0301', '\u0308', '\u0345']) {
      const normalized = normalizeEmail(`${letter}${mark}@example.com`)
      if (normalized !== normalized.normalize('NFC') || normalized !== normalizeEmail(normalized))
        wrong.push(letter + mark)
    }
  }
  expect(wrong).toEqual([])
})
