import fc, { type Arbitrary } from 'fast-check'
import type { KnownIds } from 'testkit/arbitraries.ts'
import type { Document, Operation } from 'testkit/document.ts'
import { requestsFor } from 'testkit/requests.ts'
import { mutate } from '../../kit/texts.ts'
import { type Attempt, formatRequest } from './attempt.ts'

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

/** Mutated and truncated requests, several requests on one connection, and random bytes. */
export function byteAttempts(document: Document, operation: Operation, known: KnownIds): Arbitrary<Attempt> {
  const request = requestsFor(document, operation, known)
    .filter(({ body }) => (body?.text.length ?? 0) < 100_000)
    .map((request) => formatRequest(operation, request).bytes)
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
