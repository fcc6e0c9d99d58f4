import fc, { type Arbitrary } from 'fast-check'
import type { KnownIds } from 'testkit/arbitraries.ts'
import type { Document, Operation } from 'testkit/document.ts'
import { requestsFor } from 'testkit/requests.ts'
import { MARKER, mutate } from '../../kit/texts.ts'
import { type Attempt, toAttempt } from './attempt.ts'

const TYPES = [
  'application/json; charset=utf-16',
  'application/json; charset=latin1',
  'application/json;',
  'APPLICATION/JSON',
  'application/merge-patch+json',
  'text/plain',
  'multipart/form-data; boundary=x',
  'application/x-www-form-urlencoded',
  'application/jsonp',
  '*/*',
  '',
  ';',
  'application/json, text/plain',
  '\xff',
  `${MARKER}/${MARKER}`,
  'x'.repeat(5000),
]

/** Headers that do not change the meaning of a request. */
const HEADERS = [
  ...TYPES.map((type) => `Content-Type: ${type}`),
  ...['gzip', 'br', 'deflate', 'identity', 'chunked', 'x'].map((name) => `Content-Encoding: ${name}`),
  ...[
    '',
    'a b',
    'x'.repeat(65),
    '<script>',
    '\xff',
    "'; DROP TABLE users; --",
    '$(reboot)',
    '%0d%0aSet-Cookie: x',
  ].map((id) => `X-Request-Id: ${id}`),
  ...['100-continue', '100-Continue', 'x', '100-continue, x'].map((value) => `Expect: ${value}`),
  ...['text/html', '*/*;q=0', 'x'.repeat(4000)].map((value) => `Accept: ${value}`),
  ...['close', 'keep-alive, close', 'Content-Type', 'x', ''].map((value) => `Connection: ${value}`),
  // Adds `close`, because Node discards bytes that follow a request with `Upgrade` in the same packet.
  ...['h2c', 'websocket', 'TLS/1.0'].map((value) => `Connection: Upgrade, close\r\nUpgrade: ${value}`),
  ...[
    'y',
    'evil.example',
    'x:99999',
    'a b',
    '',
    '[::1',
    'x/y',
    'x?',
    'x#',
    'x@y',
    '\xff',
    'x\\y',
    '..',
    '0x7f.1',
  ].map((host) => `Host: ${host}`),
  ...[
    'X-HTTP-Method-Override: DELETE',
    'X-Forwarded-Host: evil.example',
    'X-Original-URL: /users',
    'Forwarded: host=x',
    'Origin: null',
    'Origin: http://evil.example',
    'Cookie: __proto__=x',
    '__proto__: x',
    'constructor: x',
    'toString: x',
    'Range: bytes=0-0',
    'If-None-Match: *',
    'If-Match: *',
    'TE: trailers',
    'Trailer: X',
    'Max-Forwards: 0',
    'Transfer_Encoding: chunked',
    'X-Content-Length: 0',
    'Proxy: http://x',
    `Authorization: Basic ${MARKER}`,
    `User-Agent: ${MARKER}`,
    `X-${MARKER}: ${MARKER}`,
  ],
  ...[90, 101, 500].map((count) => Array.from({ length: count }, (_, n) => `X-${n}: x`).join('\r\n')),
  ...[8000, 20_000].map((length) => `X: ${'x'.repeat(length)}`),
]

/** Header values with control characters and non-ASCII bytes. */
const junk = fc
  .tuple(
    fc.constantFrom('X', 'X-Request-Id', 'Accept', 'Content-Type'),
    fc.integer({ min: 1, max: 255 }),
    fc.nat(3),
  )
  .map(([name, code, spaces]) => `${name}: a${String.fromCharCode(code)}${' '.repeat(spaces)}b`)
  .filter((header) => !/[\r\n]/.test(header))

/** Generates documented requests with additional undocumented headers. */
export function headAttempts(document: Document, operation: Operation, known: KnownIds): Arbitrary<Attempt> {
  const headers = fc.array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...HEADERS) }, junk), {
    minLength: 1,
    maxLength: 3,
  })
  return fc.tuple(requestsFor(document, operation, known), headers).map(([request, headers]) => {
    // The document does not decide whether a request with these headers is valid.
    const { request: _, ...attempt } = toAttempt('head', operation, request, { headers })
    return attempt
  })
}

const byte = fc.nat(255).map((code) => String.fromCharCode(code))
const pieces = fc.oneof(
  fc.string({ unit: byte, maxLength: 3 }),
  fc.constantFrom(
    '\r\n',
    '\n',
    '\r',
    '\r\n\r\n',
    '\0',
    ':',
    ' ',
    'HTTP/1.1',
    'Transfer-Encoding: chunked\r\n',
    'Content-Length: 3\r\n',
    '0\r\n\r\n',
    '\r\n ',
  ),
)

/** Generates mutated and truncated requests, several requests on one connection, and random bytes. */
export function byteAttempts(document: Document, operation: Operation, known: KnownIds): Arbitrary<Attempt> {
  const request = requestsFor(document, operation, known)
    .filter(({ body }) => (body?.text.length ?? 0) < 100_000)
    .map((request) => toAttempt('bytes', operation, request).bytes)
  const bytes = fc.oneof(
    { weight: 5, arbitrary: mutate(request, pieces) },
    {
      weight: 2,
      arbitrary: fc
        .tuple(request, fc.double({ min: 0, max: 1, noNaN: true }))
        .map(([text, part]) => text.slice(0, text.length * part)),
    },
    {
      weight: 1,
      arbitrary: fc
        .array(fc.oneof(request, mutate(request, pieces)), { minLength: 2, maxLength: 5 })
        .map((all) => all.join('')),
    },
    { weight: 1, arbitrary: fc.string({ unit: byte, minLength: 1, maxLength: 500 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(request, fc.string({ unit: byte, minLength: 1, maxLength: 100 }))
        .map((both) => both.join('')),
    },
  )
  return bytes.map((bytes) => ({ kind: 'bytes', bytes }))
}
