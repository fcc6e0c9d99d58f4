import fc from 'fast-check'
import type { KnownIds } from 'testkit/arbitraries.ts'
import {
  type Document,
  type Operation,
  operationsOf,
  validatorsOf,
} from 'testkit/document.ts'
import { acceptor, asFetch, requestsFor } from 'testkit/requests.ts'
import { expect, test } from 'vitest'
import { isEmail } from '../../src/profile-a/email-address.ts'
import { startWithDemo } from '../support/http-fixture.ts'

test.each(['a', 'b'] as const)(
  'Profile %s responds as its document says to valid and invalid requests',
  async (profile) => {
    const shared = await startWithDemo(profile)
    const document: Document = (await shared.get('/openapi.json')).json
    const accepts = acceptor(document, isEmail)
    const check = createCheck(document)
    const knownIds: KnownIds = new Map()
    // Sorts POST first: it stores unusual values, which other requests read.
    const operations = operationsOf(document).sort(
      (a, b) => Number(b.method === 'POST') - Number(a.method === 'POST'),
    )
    for (const operation of operations) {
      const { method, path, operationId, responses } = operation
      const service =
        method === 'DELETE' ? await startWithDemo(profile) : shared
      const known = service === shared ? knownIds : new Map()
      const statuses = new Set<string>()
      if (method !== 'GET') {
        const headers = { 'sec-fetch-site': 'cross-site' }
        const target = path.replace(/\{\w+\}/g, 'x')
        const response = await service.fetch(target, { method, headers })
        check(operation, response, await response.text(), false)
      }
      const respondsAsDocumented = fc.asyncProperty(
        requestsFor(document, operation, known),
        async (request) => {
          const response = await service.fetch(...asFetch(operation, request))
          const text = await response.text()
          statuses.add(`${response.status}`)
          if (response.ok) learnIds(text, known)
          check(operation, response, text, accepts(operation, request))
        },
      )
      await fc.assert(respondsAsDocumented, { seed: 20260101 })
      const [success] = Object.keys(responses).filter((code) => code < '300')
      const hint = `${operationId} on rows of storeDemo()`
      expect([...statuses], hint).toContain(success)
    }
  },
)

function learnIds(text: string, known: KnownIds): void {
  for (const [id, prefix = ''] of text.matchAll(
    /\b([a-z]+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  )) {
    const ids = known.get(prefix) ?? []
    if (!ids.includes(id)) known.set(prefix, [...ids.slice(-99), id])
  }
}

/** Headers of every response, which the document does not list. */
const COMMON_HEADERS = ['cache-control', 'x-content-type-options']

function createCheck(document: Document) {
  const validatorOf = validatorsOf(document, { closed: true, isEmail })
  return (
    { responses }: Operation,
    { status, headers }: Response,
    text: string,
    accepted: boolean,
  ) => {
    expect(status).toBeLessThan(500)
    const response = responses[status]
    if (response === undefined)
      throw new Error(`the undocumented status ${status}`)
    if (accepted && status === 422)
      throw new Error(`a valid request received 422: ${text}`)
    if (!accepted && status < 400)
      throw new Error(`an invalid request received ${status}`)

    const documented = Object.keys(response.headers).map((name) =>
      name.toLowerCase(),
    )
    const permitted = ['content-type', 'content-length', ...documented]
    const names = [...headers.keys()]
    expect(names).toEqual(
      expect.arrayContaining(['x-request-id', ...COMMON_HEADERS]),
    )
    expect([...permitted, ...COMMON_HEADERS]).toEqual(
      expect.arrayContaining(names),
    )

    if (response.content === undefined) return expect(text).toBe('')
    expect(headers.get('content-type')).toBe('application/json')
    const validate = validatorOf(response.content['application/json'].schema)
    if (!validate(JSON.parse(text)))
      throw new Error(`the body ${text}: ${JSON.stringify(validate.errors)}`)
  }
}
