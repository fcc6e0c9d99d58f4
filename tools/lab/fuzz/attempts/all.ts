import fc, { type Arbitrary } from 'fast-check'
import { type KnownIds, valid } from 'testkit/arbitraries.ts'
import { type Document, type Operation, operationsOf, resolved, type Schema } from 'testkit/document.ts'
import { requestsFor } from 'testkit/requests.ts'
import type { Target } from '../verdict.ts'
import { type Attempt, toAttempt } from './attempt.ts'
import { bodyAttempts } from './bodies.ts'
import { frameAttempts } from './frames.ts'
import { byteAttempts, headAttempts } from './heads.ts'
import { targetAttempts } from './targets.ts'

/** Generates every kind of attempt, on every operation. */
export function createAttempts(
  profile: Target['profile'],
  document: Document,
  known: KnownIds,
): Arbitrary<Attempt> {
  const operations = operationsOf(document)
  const onEach = (create: (operation: Operation) => Arbitrary<Attempt>, chosen = operations) => {
    if (chosen.length === 0) throw new Error('the document has no operation for this kind of attempt')
    return fc.oneof(...chosen.map(create))
  }
  const documented = onEach((operation) =>
    requestsFor(document, operation, known).map((request) => toAttempt('document', operation, request)),
  )
  const withBody = operations.filter(({ requestBody }) => requestBody)
  // These attempts are not in the ledger, so they must not change or delete a record.
  const harmless = operations.filter(({ method }) => method === 'GET' || method === 'POST')
  return fc.oneof(
    documented,
    onEach((operation) => bodyAttempts(document, operation, known), withBody),
    targetAttempts(operations),
    onEach((operation) => headAttempts(document, operation, known), harmless),
    onEach((operation) => byteAttempts(document, operation, known), harmless),
    frameAttempts(profile),
  )
}

/** Returns one request per creating operation, with spaces around every string, which random strings rarely have. */
export function createPaddedAttempts(document: Document, seed: number): Attempt[] {
  const creating = operationsOf(document).filter(
    ({ method, requestBody }) => method === 'POST' && requestBody,
  )
  return creating.map((operation) => {
    const schema = operation.requestBody?.content['application/json'].schema ?? {}
    const [body] = fc.sample(valid(document, schema, new Map()), { numRuns: 1, seed }) as [
      Record<string, unknown>,
    ]
    const properties = resolved(document, schema).properties as Record<string, Schema>
    const changes = Object.entries(properties).flatMap(([name, { type, format, pattern }]) => {
      const types = [type].flat()
      if (types.includes('string') && !format && !pattern) return [[name, ' padded ']]
      return types.includes('null') && pattern ? [[name, null]] : [] // refers to no other record
    })
    const text = JSON.stringify({ ...body, ...Object.fromEntries(changes) })
    return toAttempt('document', operation, { parameters: {}, body: { type: 'application/json', text } })
  })
}
