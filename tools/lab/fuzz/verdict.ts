import { isEmail } from 'api/profile-a/store/email-address.ts'
import { type Document, type Operation, operationsOf } from 'testkit/document.ts'
import { residentMegabytes } from 'testkit/process-stats.ts'
import { acceptor } from 'testkit/requests.ts'
import type { HttpResponse } from '../kit/http.ts'
import { createJudge } from '../kit/judge.ts'
import type { Scope } from '../kit/scope.ts'
import { type Engine, startDatabase, startService } from '../kit/service.ts'
import { MARKER } from '../kit/texts.ts'
import { type Attempt, HIDDEN, methodOf } from './attempts/attempt.ts'

/** Statuses with which the server rejects a request before an endpoint handles it. No operation documents them. */
const REJECTIONS = [400, 408, 413, 414, 417, 431, 505]
const REJECTION_BODY = /^(\{"detail":"(Bad Request|Request Timeout|Request Header Fields Too Large)"\})?$/

/** Responses, by status and body, that every profile may send although its OpenAPI document does not describe them. */
const UNDOCUMENTED: Record<number, RegExp> = {
  200: /^(\{"status":"(ok","version":"[^"]+|ready)"\}$|<!doctype html>|\{\n {2}"openapi"|\.swagger-ui|\/\*! For license)/,
  302: /^$/,
  404: /^\{"detail":"Not Found"\}$/,
  405: /^\{"detail":"Method Not Allowed"\}$/,
}

/** Checks the responses to an attempt. Throws an error that describes a violation. Returns the first response. */
export type Verdict = (attempt: Attempt, responses: readonly HttpResponse[]) => HttpResponse | undefined

export function createVerdict(document: Document): Verdict {
  const judge = createJudge(document)
  const accepts = acceptor(document, isEmail)
  const operations = operationsOf(document)

  /** `operation` is undefined if the bytes may be a request to any operation. */
  function judgeOne(response: HttpResponse, operation: Operation | undefined, isHead: boolean): void {
    const { status, headers, body } = response
    if (status >= 500 && status !== 505) throw new Error(`status ${status}: ${body}`)
    if (status >= 400 && body.includes(MARKER)) throw new Error(`the error repeats the input: ${body}`)
    if (headers.has('set-cookie')) throw new Error('the request has injected the header Set-Cookie')
    if (isRejection(response)) return
    for (const name of ['x-request-id', 'cache-control'])
      if (!headers.has(name)) throw new Error(`the header ${name} is missing`)
    if (status === 413 && body !== '') return
    if (operation) {
      judge(response, operation, { isHead })
      return
    }
    const isExpected = isHead || UNDOCUMENTED[status]?.test(body)
    if (!isExpected && !operations.some((candidate) => isDocumented(response, candidate)))
      throw new Error(`no operation documents the status ${status} with the body ${body.slice(0, 500)}`)
  }

  function isDocumented(response: HttpResponse, operation: Operation): boolean {
    try {
      judge(response, operation)
      return true
    } catch {
      return false
    }
  }

  return (attempt, responses) => {
    const { method, operation, request } = attempt
    const [first, second, ...more] = responses
    for (const [n, response] of responses.entries()) {
      // Later responses are those to the canary, or to any requests within the bytes.
      judgeOne(response, n === 0 ? operation : undefined, n === 0 && methodOf(attempt) === 'HEAD')
    }
    if (method === undefined) return undefined
    if (first === undefined) throw new Error('no response')
    if (more.length > 0) throw new Error(`${responses.length} responses to one request and the canary`)
    if (first.headers.get('x-request-id') === 'canary')
      throw new Error('the first response is that to the canary')
    if (
      second ? second.headers.get('x-request-id') !== 'canary' : first.headers.get('connection') !== 'close'
    )
      throw new Error('the canary got no response although the connection stayed open')
    if (operation && request && !isRejection(first)) {
      const isAccepted = accepts(operation, request)
      if (isAccepted && first.status === 422) throw new Error(`a valid request was rejected: ${first.body}`)
      if (!isAccepted && first.status < 400) throw new Error(`an invalid request got ${first.status}`)
    }
    return first
  }
}

const isRejection = ({ status, body }: HttpResponse) =>
  REJECTIONS.includes(status) && REJECTION_BODY.test(body)

/** The profiles and databases that are attacked. */
export const TARGETS = {
  'a-sqlite': { title: 'Profile A, SQLite file', profile: 'a', engine: 'sqlite' },
  'a-postgres': { title: 'Profile A, PostgreSQL', profile: 'a', engine: 'postgres' },
  'b-memory': { title: 'Profile B, in memory', profile: 'b', engine: 'sqlite-memory' },
} as const satisfies Record<string, { title: string; profile: ProfileName; engine: Engine }>

export type TargetName = keyof typeof TARGETS

export type ProfileName = 'a' | 'b'

export type Target = Awaited<ReturnType<typeof startTarget>>

/** The service executed a request that was hidden in the bytes of another request. */
export class HiddenRequestError extends Error {
  readonly requestId: string

  constructor(requestId: string) {
    super(`the hidden request ${requestId} was executed`)
    this.requestId = requestId
  }
}

/** The level of an error in pino's log lines. */
const ERROR_LEVEL = 50

/** Starts a service to attack, as a separate process. */
export async function startTarget(scope: Scope, name: TargetName) {
  const { profile, engine } = TARGETS[name]
  const DATABASE_URL = await startDatabase(scope, engine)
  const service = await startService(scope, { PROFILE: profile, DATABASE_URL })
  const { url, process: child, logLines } = service
  let standardError = ''
  child.stderr?.on('data', (chunk) => {
    standardError += chunk
  })

  function expectCleanLog(): void {
    if (standardError !== '') throw new Error(`on standard error: ${standardError.slice(0, 2000)}`)
    // Removes checked lines, because the log of a long run does not fit into memory.
    for (const line of (logLines as string[]).splice(0)) {
      const { level, pid, request_id } = JSON.parse(line)
      if (level >= ERROR_LEVEL || pid !== child.pid) throw new Error(`in the log: ${line}`)
      if (request_id?.startsWith(HIDDEN)) throw new HiddenRequestError(request_id)
      if (line.includes(MARKER)) throw new Error(`a log line repeats the input: ${line}`)
    }
  }

  return {
    profile,
    url,
    port: Number(new URL(url).port),
    readMegabytes: () => residentMegabytes(child.pid),
    /** Throws if the process has ended, is not ready, or has logged an error, the marker or a hidden request. */
    async expectHealthy(): Promise<void> {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the service exited with ${child.exitCode ?? child.signalCode}`)
      expectCleanLog()
      const { status } = await fetch(`${url}/readyz`)
      if (status !== 200) throw new Error(`/readyz returned ${status}, expected 200`)
    },
    /** Stops the service. Throws unless it exits with 0. */
    async stop(): Promise<void> {
      const code = await service.stop()
      if (code !== 0) throw new Error(`the service exited with ${code}, expected 0: ${standardError}`)
    },
  }
}
