import { isDeepStrictEqual } from 'node:util'
import {
  type Document,
  type Operation,
  operationsOf,
  resolved,
  type Schema,
  schemasIn,
} from 'testkit/document.ts'
import type { HttpResponse } from '../kit/http.ts'
import type { Fields } from '../kit/ledger.ts'

/** Prefixes of records that the service returns without storing them. */
const NOT_STORED = ['order']

/** A kind of record, derived from the OpenAPI document. */
interface Entity {
  readonly prefix: string
  /** The property of a response that holds the id of the record. */
  readonly idField: string
  /** Fields that a client sends and that the response returns. */
  readonly fields: readonly string[]
  /** The operation that returns one record or all records. Undefined if the service does not store the record. */
  readonly read: { readonly path: string; readonly isList: boolean } | undefined
}

/**
 * Keeps the fields that clients sent and the service accepted, and reads them back. Compares only fields of the
 * request, because requests that are not recorded may change other fields, such as the roles of a user.
 */
export function createRecords(document: Document) {
  const entities = findEntities(document)
  /** The fields that each stored record must have, by id. */
  const stored = new Map<string, Fields>()
  /** Returns the id in a path such as `/users/{user_id}`. */
  const idIn = (path: string) =>
    path.split(/[/?]/).find((part) => entities.some((entity) => hasPrefix(part, entity)))

  return {
    /** Throws if a successful response does not contain the fields of the request. */
    add(
      { method, requestBody }: Operation,
      path: string,
      body: string | undefined,
      response: HttpResponse,
    ): void {
      if (method === 'DELETE') {
        const id = idIn(path)
        if (id === undefined) throw new Error(`no known prefix in the path ${path}`)
        stored.delete(id)
      }
      if (method === 'DELETE' || body === undefined || requestBody === undefined) return
      const sent = JSON.parse(body) as Fields
      const received = JSON.parse(response.body) as Fields
      const entity = entities.find(({ idField }) => idField in received)
      if (entity === undefined) throw new Error(`no known id in the response ${response.body}`)
      const id = String(received[entity.idField])
      const { read, fields } = findEntity(entities, id)
      const current = stored.get(id) ?? received
      const expected = Object.fromEntries(
        // PATCH leaves a field unchanged if it is missing, null or empty.
        fields.map((name) => [name, method === 'PATCH' ? sent[name] || current[name] : (sent[name] ?? null)]),
      )
      if (read) stored.set(id, expected)
      compare(`${id}: the response contains`, expected, received)
    },
    /** Reads every record through `get`. Returns the number of records by prefix. Throws if a record has changed. */
    async readBack(get: (path: string) => Promise<unknown>): Promise<Map<string, number>> {
      const lists = new Map<string, Promise<Fields[]>>()
      const counts = new Map<string, number>()
      for (const [id, expected] of stored) {
        const { prefix, read, idField } = findEntity(entities, id)
        const { path = '', isList } = read ?? {}
        if (isList && !lists.has(path)) lists.set(path, get(path) as Promise<Fields[]>)
        const found = isList
          ? (await lists.get(path))?.find((record) => record[idField] === id)
          : ((await get(path.replace(/\{\w+\}/, id))) as Fields)
        compare(`${id}: stored`, { ...expected, [idField]: id }, found ?? {})
        counts.set(prefix, (counts.get(prefix) ?? 0) + 1)
      }
      return counts
    },
  }
}

/** Throws an error that starts with `what` unless `found` has the fields of `expected`. */
function compare(what: string, expected: Fields, found: Fields): void {
  const shown = Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]]))
  if (!isDeepStrictEqual(shown, expected))
    throw new Error(`${what} ${JSON.stringify(shown)}, expected ${JSON.stringify(expected)}`)
}

const hasPrefix = (id: string, { prefix }: Entity) => id.startsWith(`${prefix}-`)

function findEntity(entities: readonly Entity[], id: string): Entity {
  const entity = entities.find((entity) => hasPrefix(id, entity))
  if (entity === undefined) {
    const known = entities.map(({ prefix }) => prefix)
    throw new Error(`unknown prefix of "${id}": the document describes ${known.join(', ')}`)
  }
  return entity
}

/** Returns every kind of record that an operation of the document creates. */
export function findEntities(document: Document): Entity[] {
  const operations = operationsOf(document)
  return operations.flatMap((operation) => {
    const request = propertiesOf(document, operation.requestBody?.content['application/json'].schema)
    const response = propertiesOf(document, successOf(operation))
    if (operation.method !== 'POST' || request === undefined || response === undefined) return []
    const id = Object.entries(response).find(([name, schema]) => prefixIn(schema) && !(name in request))
    if (id === undefined) throw new Error(`${operation.operationId}: no id in the response`)
    const [idField, schema] = id
    const prefix = prefixIn(schema) as string
    const read = findRead(document, operations, idField, prefix)
    if (read === undefined && !NOT_STORED.includes(prefix))
      throw new Error(`${operation.operationId}: no operation returns a ${prefix}, so none can be read back`)
    const fields = Object.keys(request).filter((name) => name in response)
    return [{ prefix, idField, fields, read }]
  })
}

/** Returns the operation that reads a record by id, or the operation that lists all records. */
function findRead(document: Document, operations: readonly Operation[], idField: string, prefix: string) {
  const returns = (schema: Schema | undefined) =>
    prefixIn(propertiesOf(document, schema)?.[idField]) === prefix
  const gets = operations.filter(({ method }) => method === 'GET')
  const one = gets.find(
    (get) =>
      get.parameters.length === 1 &&
      prefixIn(get.parameters[0]?.schema) === prefix &&
      get.parameters[0]?.in === 'path' &&
      returns(successOf(get)),
  )
  if (one) return { path: one.path, isList: false }
  const list = gets.find((get) => !get.path.includes('{') && returns(successOf(get)?.items))
  return list && { path: list.path, isList: true }
}

function successOf({ responses }: Operation): Schema | undefined {
  const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? []
  return success?.content?.['application/json'].schema
}

const propertiesOf = (document: Document, schema: Schema | undefined): Record<string, Schema> | undefined =>
  schema && resolved(document, schema).properties

const prefixIn = (schema: Schema | undefined): string | undefined => schema?.['x-typed-id']?.prefix

/** Returns the prefixes of all ids in the document. */
export const findPrefixes = (document: Document): ReadonlySet<string> =>
  new Set(schemasIn(document).flatMap((schema) => prefixIn(schema) ?? []))
