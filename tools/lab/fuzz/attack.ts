import fc from 'fast-check'
import type { KnownIds } from 'testkit/arbitraries.ts'
import { readDocument } from '../kit/judge.ts'
import { readList } from '../kit/ledger.ts'
import { type Counts, count } from '../kit/statistics.ts'
import { waitUntil } from '../kit/wait.ts'
import { createAttempts, createPaddedAttempts } from './attempts/all.ts'
import { type Attempt, CANARY, HIDDEN, methodOf } from './attempts/attempt.ts'
import { createHiddenRequest, HIDDEN_PATHS } from './attempts/frames.ts'
import { createRecords, findPrefixes } from './records.ts'
import { exchangeBytes, parseResponses } from './responses.ts'
import { createVerdict, HiddenRequestError, type Target } from './verdict.ts'

export interface Figures {
  readonly attempts: Counts
  /** Responses by status; `closed` counts connections that were closed without a response. */
  readonly statuses: Counts
  /** Failures, each with the seed and the bytes to reproduce it. */
  readonly failures: string[]
  /** Numbers of accepted records that were read back as they were sent, by prefix. */
  readBack: ReadonlyMap<string, number>
  /** Resident memory after each fifth of the run, and at the end. */
  readonly megabytes: number[]
}

export interface Budget {
  readonly seed: number
  /** Number of attempts of all lanes together. */
  readonly attempts: number
  readonly seconds: number
}

/** Number of lanes, each of which runs one attempt at a time. */
const LANES = 16

/** Number of attempts of a lane between two health checks. */
const ROUND = 50

/** Requests up to this size are sent completely before the server can reset the connection. */
const SOCKET_BUFFER_BYTES = 65_536

/** Attacks a service until the budget is used up or a failure is found. */
export async function attack(target: Target, { seed, attempts, seconds }: Budget): Promise<Figures> {
  await expectDetection(target)
  const document = await readDocument(target.url)
  const figures: Figures = { attempts: {}, statuses: {}, failures: [], readBack: new Map(), megabytes: [] }
  const verdict = createVerdict(document)
  const records = createRecords(document)
  const prefixes = findPrefixes(document)
  /** The latest attempts that hide a request, by the id of that request. */
  const hiding = new Map<string, Attempt>()
  const start = performance.now()
  const rounds = Math.ceil(attempts / LANES / ROUND)
  let done = 0

  async function run(attempt: Attempt, known: KnownIds): Promise<void> {
    const { kind, bytes, method, operation, request, path, hidden } = attempt
    count(figures.attempts, kind)
    if (hidden) hiding.set(hidden, attempt)
    if (hiding.size > 10_000) hiding.clear()
    const { received, isCut } = await exchangeBytes(target.port, bytes + CANARY, method !== undefined)
    const responses = parseResponses(received, methodOf(attempt), isCut)
    if (responses.length === 0) count(figures.statuses, 'closed')
    for (const { status, headers } of responses) {
      if (headers.get('x-request-id') !== 'canary') count(figures.statuses, status)
    }
    // A TCP reset discards the response if the server rejects a request without reading its large body.
    if (responses.length === 0 && isCut && bytes.length > SOCKET_BUFFER_BYTES) return
    const first = verdict(attempt, responses)
    if (!first || !operation || first.status >= 300) return
    if (request) records.add(operation, path ?? '', request.body?.text, first)
    // Remembers only ids of created records: ids in lists belong to other lanes, which may delete the records.
    if (operation.method === 'POST') remember(known, first.body, prefixes)
  }

  async function runLane(n: number): Promise<void> {
    const known: KnownIds = new Map()
    const arbitrary = createAttempts(target.profile, document, known)
    for (let round = 0; round < rounds && figures.failures.length === 0; round += 1) {
      if (performance.now() - start > seconds * 1000) return
      const roundSeed = seed + (round * LANES + n) * 7919
      const property = fc.asyncProperty(arbitrary, (attempt) => run(attempt, known))
      const result = await fc.check(property, {
        numRuns: ROUND,
        seed: roundSeed,
        interruptAfterTimeLimit: 30_000,
      })
      if (result.failed && result.counterexample)
        figures.failures.push(describe(roundSeed, result.errorInstance, result.counterexample[0]))
      await target.expectHealthy().catch((error) => {
        const attempt = error instanceof HiddenRequestError && hiding.get(error.requestId)
        figures.failures.push(
          attempt
            ? describe(roundSeed, error, attempt)
            : `in a round with the seed ${roundSeed}: ${error.message}`,
        )
      })
      done += ROUND
      if (5 * readProgress() >= figures.megabytes.length + 1) figures.megabytes.push(target.readMegabytes())
    }
  }

  const readProgress = () =>
    Math.min(1, Math.max(done / attempts, (performance.now() - start) / 1000 / seconds))

  for (const attempt of createPaddedAttempts(document, seed))
    await run(attempt, new Map()).catch((error) => figures.failures.push(describe(seed, error, attempt)))
  await Promise.all(Array.from({ length: LANES }, (_, n) => runLane(n)))
  figures.megabytes.push(target.readMegabytes())
  if (figures.failures.length > 0) return figures
  try {
    figures.readBack = await records.readBack(async (path) => (await fetch(target.url + path)).json())
    const names = await readNames(target)
    if (names.includes(HIDDEN)) throw new Error('a hidden request has created a record')
    await target.expectHealthy()
    await target.stop()
  } catch (error) {
    figures.failures.push(`after the run with the seed ${seed}: ${(error as Error).message}`)
  }
  return figures
}

/** Sends a hidden request openly, once, to prove that its execution would be noticed. */
async function expectDetection(target: Target): Promise<void> {
  const { profile, port } = target
  const id = `${HIDDEN}-control`
  const { received } = await exchangeBytes(port, createHiddenRequest(profile, id, 'control') + CANARY, true)
  const [response] = parseResponses(received, 'POST', false)
  if (response === undefined || response.status >= 300)
    throw new Error(`the hidden request would have no effect: ${JSON.stringify(response)}`)
  if (!(await readNames(target)).includes('control'))
    throw new Error('the list does not show the record of a hidden request')
  await waitUntil('the log shows the id of a hidden request', async () => {
    const error = await target.expectHealthy().catch((error) => error)
    return error instanceof HiddenRequestError
  })
}

/** Returns the names of all records of the kind that a hidden request creates. */
async function readNames({ url, profile }: Target): Promise<unknown[]> {
  return (await readList(url, HIDDEN_PATHS[profile])).map(({ name }) => name)
}

/** Keeps the latest 100 ids of each type from the responses. */
function remember(known: KnownIds, body: string, prefixes: ReadonlySet<string>): void {
  for (const [, id = '', prefix = ''] of body.matchAll(
    /"((\w+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})"/g,
  )) {
    // Ignores ids of unknown types, which text fields may contain.
    if (prefixes.has(prefix)) known.set(prefix, [...(known.get(prefix) ?? []).slice(-99), id])
  }
}

/** Describes a failure, with the bytes and a command that reproduces it against any instance. */
function describe(seed: number, error: unknown, { kind, bytes }: Attempt): string {
  const base64 = Buffer.from(bytes + CANARY, 'latin1').toString('base64')
  const shown = JSON.stringify(bytes.length > 2000 ? `${bytes.slice(0, 2000)}…` : bytes)
  return `seed ${seed}, ${kind}: ${(error as Error).message}\n  ${shown}\n  echo ${base64} | base64 -d | nc 127.0.0.1 3000`
}
