import fc, { type Arbitrary } from 'fast-check'
import type { KnownIds } from '../support/arbitraries.ts'
import { type Document, operationsOf } from '../support/document.ts'
import { requestsFor } from '../support/requests.ts'
import { answersIn } from './answers.ts'
import { type Attempt, CANARY, methodOf, rawRequest, SMUGGLED } from './attempts/attempt.ts'
import { bodyAttempts } from './attempts/bodies.ts'
import { byteAttempts } from './attempts/bytes.ts'
import { frameAttempts } from './attempts/frames.ts'
import { headAttempts } from './attempts/heads.ts'
import { targetAttempts } from './attempts/targets.ts'
import { exchange } from './exchange.ts'
import { judgeOf } from './judge.ts'
import { audit, createLedger } from './ledger.ts'
import { SmuggledError, type Subject } from './subject.ts'

export interface Figures {
  /** Attempts by kind, and answers by status; status 0 is a connection that was closed without one. */
  readonly kinds: Map<string, number>
  readonly statuses: Map<number, number>
  /** Each with its seed and the bytes that show it. */
  readonly failures: string[]
  /** Records that were accepted and were read back as they were sent. */
  readBack: number
  /** Resident memory after each fifth of the run, and in the end. */
  readonly megabytes: number[]
}

export interface Budget {
  readonly seed: number
  /** Attempts of all lanes together. */
  readonly attempts: number
  readonly seconds: number
}

/** From the first fifth of a run, in which the process warms up, to its end. */
const GROWTH_MB = 150

const LANES = 16
/** Attempts of a lane between two looks at the process. */
const ROUND = 50

/** Attacks a service until the budget is used up or something is wrong. */
export async function attack(subject: Subject, { seed, attempts, seconds }: Budget): Promise<Figures> {
  const document: Document = JSON.parse(await (await fetch(`${subject.url}/openapi.json`)).text())
  const figures: Figures = { kinds: new Map(), statuses: new Map(), failures: [], readBack: 0, megabytes: [] }
  const judge = judgeOf(document)
  const ledger = createLedger()
  const hiding = new Map<string, Attempt>() // the last ones, by the request that is hidden in them
  const start = performance.now()
  const rounds = Math.ceil(attempts / LANES / ROUND)
  let done = 0

  async function send(attempt: Attempt, known: KnownIds): Promise<void> {
    const { kind, bytes, method, operation, request, hidden } = attempt
    count(figures.kinds, kind)
    if (hidden) hiding.set(hidden, attempt)
    if (hiding.size > 10_000) hiding.clear()
    const { received, isCut } = await exchange(subject.port, bytes + CANARY, method !== undefined)
    const answers = answersIn(received, methodOf(attempt), isCut)
    if (answers.length === 0) count(figures.statuses, 0)
    for (const { status, headers } of answers) {
      if (headers.get('x-request-id') !== 'canary') count(figures.statuses, status)
    }
    const first = judge(attempt, answers)
    if (!first || !operation || first.status >= 300) return
    if (operation.method === 'DELETE') ledger.strike(String(Object.values(request?.parameters ?? {})[0]))
    else if (request?.body && operation.requestBody) ledger.enter(operation, request.body.text, first)
    // What a list tells is of other lanes, too, which may be about to delete it.
    if (operation.method === 'POST') remember(known, first.body)
  }

  async function lane(n: number): Promise<void> {
    const known: KnownIds = new Map()
    const arbitrary = attemptsOn(subject.profile, document, known)
    for (let round = 0; round < rounds && figures.failures.length === 0; round += 1) {
      if (performance.now() - start > seconds * 1000) return
      const own = seed + (round * LANES + n) * 7919
      const property = fc.asyncProperty(arbitrary, (attempt) => send(attempt, known))
      const result = await fc.check(property, { numRuns: ROUND, seed: own, interruptAfterTimeLimit: 30_000 })
      if (result.failed && result.counterexample)
        figures.failures.push(told(own, result.errorInstance, result.counterexample[0]))
      await subject.expectWell().catch((error) => {
        const attempt = error instanceof SmuggledError && hiding.get(error.hidden)
        figures.failures.push(
          attempt ? told(own, error, attempt) : `round with seed ${own}: ${error.message}`,
        )
      })
      done += ROUND
      if (5 * progress() >= figures.megabytes.length + 1) figures.megabytes.push(subject.megabytes())
    }
  }

  const progress = () => Math.min(1, Math.max(done / attempts, (performance.now() - start) / 1000 / seconds))

  await Promise.all(Array.from({ length: LANES }, (_, n) => lane(n)))
  figures.megabytes.push(subject.megabytes())
  if (figures.failures.length > 0) return figures
  const get = async (path: string) => (await fetch(subject.url + path)).json()
  try {
    figures.readBack = await audit(ledger, get)
    const all = (await get(subject.profile === 'a' ? '/teams' : '/users')) as { name: string }[]
    if (all.some(({ name }) => name === SMUGGLED)) throw new Error('a smuggled request has run')
    await subject.expectWell()
    const growth = subject.megabytes() - (figures.megabytes[0] ?? 0)
    if (growth > GROWTH_MB) throw new Error(`memory has grown by ${Math.round(growth)} MB`)
  } catch (error) {
    figures.failures.push(`after the run with seed ${seed}: ${(error as Error).message}`)
  }
  return figures
}

/** Everything that is tried, at every operation. */
function attemptsOn(profile: 'a' | 'b', document: Document, known: KnownIds): Arbitrary<Attempt> {
  const operations = operationsOf(document)
  const at = (
    arbitraryOf: (operation: (typeof operations)[number]) => Arbitrary<Attempt>,
    chosen = operations,
  ) => fc.oneof(...chosen.map(arbitraryOf))
  const documented = at((operation) =>
    requestsFor(document, operation, known).map((request) => ({
      kind: 'document',
      method: operation.method,
      operation,
      request,
      bytes: rawRequest(operation, request),
    })),
  )
  // What changes or deletes a record that exists would belie the ledger.
  const harmless = operations.filter(({ method }) => method === 'GET' || method === 'POST')
  return fc.oneof(
    documented,
    at(
      (operation) => bodyAttempts(document, operation, known),
      operations.filter(({ requestBody }) => requestBody),
    ),
    targetAttempts(operations),
    at((operation) => headAttempts(document, operation, known), harmless),
    at((operation) => byteAttempts(document, operation, known), harmless),
    frameAttempts(profile),
  )
}

/** Keeps the last 100 ids of each type that an answer has told. */
function remember(known: KnownIds, body: string): void {
  for (const [id, prefix = ''] of body.matchAll(
    /\b([a-z]+)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g,
  )) {
    known.set(prefix, [...(known.get(prefix) ?? []).slice(-99), id])
  }
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** A failure with what repeats it against any instance. */
function told(seed: number, error: unknown, { kind, bytes }: Attempt): string {
  const base64 = Buffer.from(bytes + CANARY, 'latin1').toString('base64')
  const shown = JSON.stringify(bytes.length > 2000 ? `${bytes.slice(0, 2000)}…` : bytes)
  return `seed ${seed}, ${kind}: ${(error as Error).message}\n  ${shown}\n  echo ${base64} | base64 -d | nc 127.0.0.1 3000`
}
