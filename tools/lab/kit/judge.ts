import { isEmail } from 'api/profile-a/store/email-address.ts'
import { type Document, type Operation, operationsOf, validatorsOf } from 'testkit/document.ts'
import type { HttpRequest, HttpResponse } from './http.ts'

/** Headers that belong to the transport, or that the document describes as the `content` of a response. */
const TRANSPORT_HEADERS = [
  'content-type',
  'content-length',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'date',
]

/** Throws an error that describes how a response differs from the operation in the OpenAPI document. */
export type Judge = (response: HttpResponse, operation: Operation, options?: { isHead?: boolean }) => void

export function createJudge(document: Document): Judge {
  const validatorOf = validatorsOf(document, { closed: true, isEmail })
  return ({ status, headers, body }, { operationId, responses }, { isHead = false } = {}) => {
    const fail = (difference: string) => {
      throw new Error(`${operationId} returned ${status}: ${difference}`)
    }
    const documented = responses[status]
    if (documented === undefined) return fail(`undocumented status; body ${body.slice(0, 500)}`)
    const names = [...Object.keys(documented.headers).map((name) => name.toLowerCase()), ...TRANSPORT_HEADERS]
    const undocumented = [...headers.keys()].filter((name) => !names.includes(name))
    if (undocumented.length > 0) fail(`undocumented headers ${undocumented}`)
    for (const name of ['x-request-id', 'cache-control', ...(status === 503 ? ['retry-after'] : [])])
      if (!headers.has(name)) fail(`the header ${name} is missing`)
    if (documented.content === undefined || isHead) return body === '' || fail('expected no body')
    const type = headers.get('content-type')
    if (type !== 'application/json') fail(`content type ${type}, expected application/json`)
    const validate = validatorOf(documented.content['application/json'].schema)
    if (!validate(JSON.parse(body))) fail(`body ${body}: ${JSON.stringify(validate.errors)}`)
  }
}

export async function readDocument(url: string): Promise<Document> {
  return JSON.parse(await (await fetch(`${url}/openapi.json`)).text())
}

/** Finds the operation that handles a request. Throws if the document has none. */
export function createRouter(document: Document): (request: HttpRequest) => Operation {
  const routes = operationsOf(document).map((operation) => ({
    operation,
    pattern: new RegExp(`^${operation.path.replace(/\{\w+\}/g, '[^/]+')}(\\?.*)?$`),
  }))
  return ({ method, path }) => {
    const route = routes.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
    if (route === undefined) throw new Error(`no operation of the document is ${method} ${path}`)
    return route.operation
  }
}
