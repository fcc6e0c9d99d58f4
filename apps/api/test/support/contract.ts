import fc, { type Arbitrary } from 'fast-check'
import { junk, type KnownIds, loose, valid } from './arbitraries.ts'
import { type Document, type Operation, operationsOf, type Parameter, validatorsOf } from './document.ts'

type Send = (path: string, init: RequestInit) => Response | Promise<Response>

interface Walk {
  /** Answers by operation and status. */
  readonly answers: Map<string, Map<number, number>>
  /** What was found, with the smallest request that shows it. */
  readonly violations: string[]
}

interface Request {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body?: { readonly type: string; readonly text: string }
}

/** Set by the transport, or said by `content` in the document. */
const UNDOCUMENTED_HEADERS = ['content-type', 'content-length']

/**
 * Sends `runs` valid and invalid requests to every operation of a document and compares request and answer with what
 * is written there. What the document takes must be answered as it says, what it does not take must be refused.
 */
export async function walkContract(
  document: Document,
  send: Send,
  runs: number,
  seed: number,
): Promise<Walk> {
  const known: KnownIds = new Map()
  const answers: Walk['answers'] = new Map()
  const violations: string[] = []
  const accepts = acceptor(document)
  const judge = judgeOf(document)

  // What deletes comes last, so that the others find something.
  const operations = operationsOf(document).sort(
    (a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'),
  )
  for (const operation of operations) {
    const counts = new Map<number, number>()
    answers.set(operation.operationId, counts)
    const result = await fc.check(
      fc.asyncProperty(requests(document, operation, known), async (request) => {
        const response = await send(...asFetch(operation, request))
        const text = await response.text()
        counts.set(response.status, (counts.get(response.status) ?? 0) + 1)
        for (const [id, prefix] of text.matchAll(
          /\b([a-z]+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
        )) {
          if (prefix && response.ok) known.set(prefix, [...(known.get(prefix) ?? []).slice(-99), id])
        }
        judge(operation, response, text, accepts(operation, request))
      }),
      { numRuns: runs, seed },
    )
    if (result.failed) {
      const error = result.errorInstance as Error
      violations.push(`${operation.operationId}: ${error.message}: ${fc.stringify(result.counterexample)}`)
    }
  }
  return { answers, violations }
}

function requests(document: Document, operation: Operation, known: KnownIds): Arbitrary<Request> {
  const schema = operation.requestBody?.content['application/json'].schema
  const parametersBy = (value: (parameter: Parameter) => Arbitrary<unknown>) =>
    fc.record(Object.fromEntries(operation.parameters.map((p) => [p.name, value(p)])), {
      requiredKeys: operation.parameters.filter((p) => p.required).map((p) => p.name),
    })
  const json = (value: unknown) => ({ type: 'application/json', text: JSON.stringify(value) })

  const good = fc.record({
    parameters: parametersBy((p) => valid(document, p.schema, known)),
    ...(schema && { body: valid(document, schema, known).map(json) }),
  })
  const other = fc.record(
    {
      parameters: parametersBy((p) => loose(document, p.schema, known)),
      ...(schema && {
        body: fc.oneof(
          { weight: 8, arbitrary: loose(document, schema, known).map(json) },
          {
            weight: 1,
            arbitrary: junk(known).map((text) => ({ type: 'application/json', text: String(text) })),
          },
          {
            weight: 1,
            arbitrary: valid(document, schema, known).map((v) => ({ ...json(v), type: 'text/plain' })),
          },
          { weight: 1, arbitrary: fc.constant(json('x'.repeat(1024 * 1024))) },
        ),
      }),
    },
    { requiredKeys: ['parameters'] },
  )
  return fc.oneof(good, other)
}

/** An empty path segment, or one of dots, would make another path. */
const segment = (value: unknown) =>
  /^\.{0,2}$/.test(String(value)) ? `x${value}` : encodeURIComponent(String(value).toWellFormed())

function asFetch({ path, method, parameters }: Operation, { parameters: values, body }: Request) {
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    if (place === 'query' && name in values) query.set(name, String(values[name]))
  }
  const url = path.replace(/\{(\w+)\}/g, (_, name) => segment(values[name]))
  return [
    `${url}${query.size > 0 ? `?${query}` : ''}`,
    { method, ...(body && { body: body.text, headers: { 'content-type': body.type } }) },
  ] as const
}

/** Tells whether a request is one that the document takes. */
function acceptor(document: Document) {
  const validatorOf = validatorsOf(document, { closed: false })
  return ({ parameters, requestBody }: Operation, request: Request): boolean => {
    const schema = requestBody?.content['application/json'].schema
    if (schema) {
      if (request.body?.type !== 'application/json' || request.body.text.length > 1024 * 1024) return false
      const json = parsed(request.body.text)
      if (!validatorOf(schema)(json) || !isStorable(json)) return false
    }
    return parameters.every(({ name, required, schema }) => {
      if (!(name in request.parameters)) return !required
      const text = String(request.parameters[name])
      return validatorOf(schema)(schema.type === 'integer' && /^-?\d+$/.test(text) ? Number(text) : text)
    })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** JSON Schema has no words for the one rule that is not in the document: no NUL, no half of a surrogate pair. */
function isStorable(value: unknown): boolean {
  if (typeof value === 'string') return !value.includes('\0') && value.isWellFormed()
  return typeof value !== 'object' || value === null || Object.values(value).every(isStorable)
}

/** Throws what is wrong with an answer. */
function judgeOf(document: Document) {
  const validatorOf = validatorsOf(document, { closed: true })
  return ({ responses }: Operation, { status, headers }: Response, text: string, accepted: boolean) => {
    if (status >= 500) throw new Error(`status ${status}`)
    const response = responses[status]
    if (response === undefined) throw new Error(`the undocumented status ${status}`)
    if (accepted && status === 422) throw new Error(`a valid request was refused: ${text}`)
    if (!accepted && status < 400) throw new Error(`an invalid request was answered with ${status}`)

    const names = Object.keys(response.headers).map((name) => name.toLowerCase())
    for (const [name] of headers) {
      if (!names.includes(name) && !UNDOCUMENTED_HEADERS.includes(name))
        throw new Error(`the undocumented header ${name}`)
    }
    for (const name of ['x-request-id', 'cache-control'])
      if (!headers.has(name)) throw new Error(`no header ${name}`)

    if (response.content === undefined) {
      if (text !== '') throw new Error('a body that is not documented')
      return
    }
    const type = headers.get('content-type')
    if (type !== 'application/json') throw new Error(`the content type ${type}`)
    const validate = validatorOf(response.content['application/json'].schema)
    if (!validate(JSON.parse(text))) throw new Error(`the body ${text}: ${JSON.stringify(validate.errors)}`)
  }
}
