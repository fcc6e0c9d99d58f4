import fc, { type Arbitrary } from 'fast-check'
import { type KnownIds, loose, valid } from 'testkit/arbitraries.ts'
import { type Document, type Operation, resolved } from 'testkit/document.ts'
import { hostileText, MARKER, mutate } from '../../kit/texts.ts'
import { type Attempt, toAttempt, toBytes } from './attempt.ts'

/** Invalid UTF-8: a lone continuation byte, overlong forms, a surrogate, U+110000, an incomplete sequence. */
const NOT_UTF8 = [
  '\x80',
  '\xc0\xaf',
  '\xe0\x80\xaf',
  '\xed\xa0\x80',
  '\xf4\x90\x80\x80',
  '\xf8\x88\x80\x80\x80',
  '\xe2\x82',
  '\xff\xfe',
]

const ESCAPES = [
  '\\ud800',
  '\\udc00\\ud800',
  '\\u0000',
  '\\u0000\\ud83d',
  '\\uD83D\\uDE00',
  '\\/',
  '\\x',
  '\\u12',
]

const NUMBERS = [
  '1e999999',
  '-1e999999',
  '1e-400',
  '-0',
  '9'.repeat(400),
  `0.${'1'.repeat(400)}`,
  '9007199254740993',
  '1e0',
  '01',
  '+1',
  '.5',
  'NaN',
  'Infinity',
  '0x10',
]

const KEYS = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '',
  'id',
  'password_hash',
  'team',
  'roles',
  'then',
  'toJSON',
]

const DEPTHS = [1, 10, 1000, 20_000, 150_000]

/** Generates complete requests with invalid, unusual or very large bodies. */
export function bodyAttempts(document: Document, operation: Operation, known: KnownIds): Arbitrary<Attempt> {
  const schema = operation.requestBody?.content['application/json'].schema ?? {}
  const parameters = fc.record(
    Object.fromEntries(operation.parameters.map((p) => [p.name, valid(document, p.schema, known)])),
  )
  const object = valid(document, schema, known) as Arbitrary<Record<string, unknown>>
  const names = Object.keys(resolved(document, schema).properties)
  const json = object.map((value) => toBytes(JSON.stringify(value)))

  /** Generates a valid object as JSON, with one member added or replaced by the given JSON. */
  const withMember = (name: Arbitrary<string>, value: Arbitrary<string>) =>
    fc.tuple(object, name, value, fc.boolean()).map(([members, name, text, first]) => {
      const { [name]: _, ...others } = members
      const parts = Object.entries(others).map(
        ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
      )
      const member = `${JSON.stringify(name)}:`
      const own = toBytes(`{${parts.join(',')}`)
      return first
        ? `{${member}${text}${own.replace('{', parts.length ? ',' : '')}}`
        : `${own}${parts.length ? ',' : ''}${member}${text}}`
    })
  const nested = fc
    .constantFrom(...DEPTHS)
    .chain((depth) =>
      fc.constantFrom(
        '['.repeat(depth),
        '['.repeat(depth) + ']'.repeat(depth),
        '{"a":'.repeat(depth),
        `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`,
      ),
    )
  const written = hostileText.map((text) => toBytes(JSON.stringify(text)))
  const bodies: [number, Arbitrary<string>][] = [
    [4, withMember(fc.constantFrom(...names), written)],
    [2, loose(document, schema, known).map((value) => toBytes(JSON.stringify(value)))],
    [
      4,
      mutate(json, fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 3 })),
    ],
    [
      3,
      mutate(json, fc.constantFrom('{', '}', '[', ']', '"', ',', ':', '\\', 'null', '/*', MARKER, "'", '0')),
    ],
    [2, withMember(fc.constantFrom(...names, ...KEYS), nested)],
    [1, nested],
    [
      2,
      withMember(
        fc.constantFrom(...names),
        fc.constantFrom(...NOT_UTF8).map((bytes) => `"x${bytes}${MARKER}"`),
      ),
    ],
    [
      2,
      withMember(
        fc.constantFrom(...names),
        fc.constantFrom(...ESCAPES).map((text) => `"${MARKER}${text}"`),
      ),
    ],
    [2, withMember(fc.constantFrom(...names), fc.constantFrom(...NUMBERS))],
    [
      2,
      withMember(fc.constantFrom(...KEYS), fc.oneof(written, fc.constantFrom('{"name":"x"}', '[]', 'null'))),
    ],
    [1, fc.tuple(json, json).map(([a, b]) => `${a.slice(0, -1)},${b.slice(1)}`)], // duplicate keys
    [1, json.map((text) => `\xef\xbb\xbf${text}`)],
    [1, json.map((text) => text.padEnd(1024 * 1024, ' '))],
    [1, json.map((text) => text.padEnd(1024 * 1024 + 1, ' '))],
    [1, fc.constantFrom('', ' ', 'null', '0', '"x"', '[]', '{}', 'NaN', 'undefined', MARKER)],
  ]
  const body = fc.oneof(...bodies.map(([weight, arbitrary]) => ({ weight, arbitrary })))
  return fc.tuple(parameters, body).map(([parameters, bytes]) => {
    // Compares the number of bytes: a body that is too large may have fewer characters than the limit.
    const text = bytes.length > 1024 * 1024 ? bytes : (decodeUtf8(bytes) ?? '')
    const request = { parameters, body: { type: 'application/json', text } }
    return toAttempt('body', operation, request, { body: bytes })
  })
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Decodes bytes as UTF-8. Returns undefined if they are not UTF-8. */
function decodeUtf8(bytes: string): string | undefined {
  try {
    return utf8.decode(Buffer.from(bytes, 'latin1'))
  } catch {
    return undefined
  }
}
