import fc from 'fast-check'
import type { KnownIds } from './arbitraries.ts'
import { type Document, type Operation, operationsOf, validatorsOf } from './document.ts'
import { acceptor, asFetch, requestsFor } from './requests.ts'

type Send = (path: string, init: RequestInit) => Response | Promise<Response>

interface Walk {
  /** Answers by operation and status. */
  readonly answers: Map<string, Map<number, number>>
  /** What was found, with the smallest request that shows it. */
  readonly violations: string[]
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
      fc.asyncProperty(requestsFor(document, operation, known), async (request) => {
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
