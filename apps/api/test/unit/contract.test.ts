import assert from 'node:assert'
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
  'the service responds as /openapi.json says to valid and invalid requests (profile %s)',
  async (profile) => {
    const shared = await startWithDemo(profile)
    const document: Document = (await shared.get('/openapi.json')).json
    const accepts = acceptor(document, isEmail)
    const check = createCheck(document)
    const knownIds: KnownIds = new Map()
    // Sorts POST first, because later requests read the unusual values that
    // POST requests store.
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

const COMMON_HEADERS = ['cache-control', 'x-content-type-options']

const CONTENT_HEADERS = ['content-type', 'content-length']

function createCheck(document: Document) {
  const validatorOf = validatorsOf(document, { closed: true, isEmail })
  return (
    { responses }: Operation,
    { status, headers }: Response,
    text: string,
    accepted: boolean,
  ) => {
    assert(status < 500, `status ${status}`)
    const response = responses[status]
    assert(response, `the undocumented status ${status}`)
    assert(!accepted || status !== 422, `a valid request received 422: ${text}`)
    assert(accepted || status >= 400, `an invalid request received ${status}`)

    const documented = Object.keys(response.headers).map((name) =>
      name.toLowerCase(),
    )
    const names = [...COMMON_HEADERS, ...documented, ...CONTENT_HEADERS]
    for (const [name] of headers)
      assert(names.includes(name), `the undocumented header ${name}`)
    for (const name of ['x-request-id', ...COMMON_HEADERS])
      assert(headers.has(name), `no header ${name}`)

    if (response.content === undefined)
      return assert(text === '', 'a body that is not documented')
    assert.equal(headers.get('content-type'), 'application/json')
    const validate = validatorOf(response.content['application/json'].schema)
    const isValid = validate(JSON.parse(text))
    assert(isValid, `the body ${text}: ${JSON.stringify(validate.errors)}`)
  }
}
