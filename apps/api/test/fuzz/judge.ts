import type { Document, Operation } from '../support/document.ts'
import { operationsOf, validatorsOf } from '../support/document.ts'
import { acceptor } from '../support/requests.ts'
import type { Answer } from './answers.ts'
import { type Attempt, ECHO, methodOf } from './attempts/attempt.ts'

/** What HTTP itself refuses is answered without a body, and most of it ends the connection. */
const REFUSALS = [400, 408, 413, 414, 417, 431, 505]

/** What every profile serves beside its document. */
const OTHERS: Record<number, RegExp> = {
  200: /^(\{"status":"(ok|ready)"\}$|<!doctype html>|\{\n {2}"openapi"|\.swagger-ui|\/\*! For license)/,
  302: /^$/,
  404: /^\{"detail":"Not Found"\}$/,
  405: /^\{"detail":"Method Not Allowed"\}$/,
}

/** Set by the server, the document's format, or the connection. */
const TRANSPORT = ['content-type', 'content-length', 'transfer-encoding', 'connection', 'keep-alive', 'date']

/** Throws what is wrong with the answers to an attempt, and returns the first one's. */
export type Judge = (attempt: Attempt, answers: readonly Answer[]) => Answer | undefined

export function judgeOf(document: Document): Judge {
  const validatorOf = validatorsOf(document, { closed: true })
  const accepts = acceptor(document)
  const operations = operationsOf(document)

  /** Says how an answer differs from what one operation documents. */
  function differs(
    { responses }: Operation,
    { status, headers, body }: Answer,
    isHead: boolean,
  ): string | undefined {
    const response = responses[status]
    if (response === undefined) return `the undocumented status ${status}`
    const names = [...Object.keys(response.headers).map((name) => name.toLowerCase()), ...TRANSPORT]
    const more = [...headers.keys()].filter((name) => !names.includes(name))
    if (more.length > 0) return `the undocumented headers ${more}`
    if (response.content === undefined || isHead)
      return body === '' ? undefined : 'a body where there is none'
    if (headers.get('content-type') !== 'application/json')
      return `the content type ${headers.get('content-type')}`
    const validate = validatorOf(response.content['application/json'].schema)
    return validate(JSON.parse(utf8(body))) ? undefined : `the body: ${JSON.stringify(validate.errors)}`
  }

  function judgeOne(answer: Answer, operation: Operation | undefined, isHead: boolean): void {
    const { status, headers, body } = answer
    if (status >= 500 && status !== 505) throw new Error(`status ${status}: ${body}`)
    if (status >= 400 && body.includes(ECHO)) throw new Error(`an error that repeats the input: ${body}`)
    if (headers.has('set-cookie')) throw new Error('a header that the request has put there')
    if (REFUSALS.includes(status) && body === '') return
    if (!headers.has('x-request-id') || !headers.has('cache-control'))
      throw new Error('no id, or it may be cached')
    if (status === 413 && body !== '') return
    const candidates = operation ? [operation] : operations
    const found = candidates.map((candidate) => differs(candidate, answer, isHead))
    if (found.includes(undefined)) return
    if (operation === undefined && (isHead || OTHERS[status]?.test(body))) return
    throw new Error(found[0])
  }

  return (attempt, answers) => {
    const { method, operation, request } = attempt
    const [first, second, ...more] = answers
    for (const [n, answer] of answers.entries()) {
      // Behind the first request is ours, or anything.
      judgeOne(answer, n === 0 ? operation : undefined, n === 0 && methodOf(attempt) === 'HEAD')
    }
    if (method === undefined) return undefined
    if (first === undefined) throw new Error('no answer')
    if (more.length > 0) throw new Error(`${answers.length} answers to one request`)
    if (
      second ? second.headers.get('x-request-id') !== 'canary' : first.headers.get('connection') !== 'close'
    ) {
      throw new Error('the request behind it has not got its answer')
    }
    if (first.headers.get('x-request-id') === 'canary') throw new Error('the answer of another request')
    if (operation && request && !isRefused(first)) {
      const isAccepted = accepts(operation, request)
      if (isAccepted && first.status === 422) throw new Error(`a valid request was refused: ${first.body}`)
      if (!isAccepted && first.status < 400)
        throw new Error(`an invalid request was answered with ${first.status}`)
    }
    return first
  }
}

const isRefused = ({ status, body }: Answer) => REFUSALS.includes(status) && body === ''

export const utf8 = (body: string): string => Buffer.from(body, 'latin1').toString('utf8')
