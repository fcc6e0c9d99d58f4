import { type Document, type Operation, operationsOf, resolved, type Schema } from 'testkit/document.ts'
import {
  type CollectedRequest,
  creating,
  extension,
  get,
  hasLength,
  inOrder,
  post,
  status,
} from './request.ts'

/** Returns the variable that contains the id of an existing record. */
export const existing = (prefix: string) => `{{${prefix}_id}}`

/** Returns a function that creates unique valid bodies, with some fields replaced. */
export function validBodies(document: Document, { operationId, requestBody, responses }: Operation) {
  const schema = resolved(document, requestBody?.content['application/json'].schema ?? {})
  const codes = Object.values(responses).flatMap(({ content }) =>
    Object.keys(content?.['application/json'].examples ?? {}),
  )
  let serial = 0
  return (fields: Record<string, unknown> = {}) => {
    serial += 1
    const unique = `${operationId}-${serial}-{{run}}`
    const body: Record<string, unknown> = { ...schema.example }
    for (const [name, field] of Object.entries<Schema>(schema.properties))
      if (field.format === 'idn-email') body[name] = `${unique}@example.com`.toLowerCase()
      else if (codes.some((code) => code.endsWith(`${name}_taken`))) body[name] = unique
      else if (field['x-typed-id'] && body[name]) body[name] = existing(field['x-typed-id'].prefix)
    return { ...body, ...fields }
  }
}

/** Returns requests that create one record for each id type of which `setup` creates none. */
export function missingSetup(document: Document, setup: readonly CollectedRequest[]): CollectedRequest[] {
  const known = new Set(setup.flatMap(({ sets = {} }) => Object.keys(sets)))
  return operationsOf(document).flatMap((operation) => {
    const { method, path, parameters, responses, operationId } = operation
    const body = resolved(document, responses[201]?.content?.['application/json'].schema ?? {})
    const prefix = body.properties?.id?.['x-typed-id']?.prefix
    if (method !== 'POST' || prefix === undefined || parameters.length > 0 || known.has(`${prefix}_id`))
      return []
    const valid = validBodies(document, { ...operation, operationId: `setup-${operationId}` })
    return creating(prefix, post(`creates a ${prefix} by ${operationId}`, path, [status(201)], valid()))
  })
}

/** Number of records of a long list: more than the usual sizes of a page, which are at most 100. */
const LONG = 101

/** Returns requests that create `LONG` records of each list, and read all of them in one response. */
export function longLists(document: Document): CollectedRequest[] {
  const operations = operationsOf(document)
  return operations.flatMap((operation) => {
    const { method, path, parameters, responses, operationId } = operation
    const isList = operations.some((other) => other.method === 'GET' && other.path === path)
    if (method !== 'POST' || parameters.length > 0 || !isList) return []
    const valid = validBodies(document, { ...operation, operationId: `long-${operationId}` })
    const success = Number(Object.keys(responses).find((code) => code.startsWith('2')))
    return [
      ...Array.from({ length: LONG }, (_, n) =>
        creating(
          n === 0 ? 'first' : 'last',
          post(`creates record ${n + 1} of ${path}`, path, [status(success)], valid()),
        ),
      ),
      get(`lists every record of ${path}`, path, [status(200), inOrder('first', 'last')]),
      extension(
        get(`lists a full last page of ${path}`, `${path}?limit=${LONG - 1}&after={{first_id}}`, [
          ...[status(200), hasLength(LONG - 1)],
          ['res.headers.link', 'isUndefined'],
        ]),
      ),
    ]
  })
}
