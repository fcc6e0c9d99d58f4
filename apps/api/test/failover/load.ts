import { setTimeout as pause } from 'node:timers/promises'

/** One answer, or what came instead of it. */
export interface Sighting {
  readonly kind: 'registration' | 'read'
  /** When the request was sent, on the clock of `performance.now()`. */
  readonly sentAt: number
  readonly ms: number
  /** The status, or the name of the error when there was none. */
  readonly status: number | string
}

export interface Load {
  readonly sightings: readonly Sighting[]
  /** The id of every registration that was answered with 201, by its e-mail. */
  readonly acknowledged: ReadonlyMap<string, string>
  /** E-mails that a second try found taken: the first one took place although its answer was a 503. */
  readonly foundTaken: ReadonlySet<string>
  /** Lets the running requests end. */
  stop(): Promise<void>
}

const REGISTERING = 8
const READING = 8

/** Requests of one client are this far apart at least, so that the load stays the same when errors come fast. */
const INTERVAL_MS = 100

/** A client that has waited so long counts its request as hanging. */
const PATIENCE_MS = 30_000

/** Registers users and reads them back, by several clients at once, in turn through each of the services. */
export function startLoad(urls: readonly string[]): Load {
  const sightings: Sighting[] = []
  const acknowledged = new Map<string, string>()
  const foundTaken = new Set<string>()
  let stopping = false
  let requests = 0

  async function send(kind: Sighting['kind'], path: string, init?: RequestInit) {
    requests += 1
    const url = `${urls[requests % urls.length]}${path}`
    const sentAt = performance.now()
    const seen = (status: Sighting['status'], body?: unknown) => {
      sightings.push({ kind, sentAt, ms: performance.now() - sentAt, status })
      return { status, body }
    }
    try {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(PATIENCE_MS) })
      return seen(response.status, await response.json())
    } catch (error) {
      const { name, cause } = error as Error
      return seen((cause as { code?: string } | undefined)?.code ?? name)
    }
  }

  /** As a client would: the same registration again until there is an answer that ends it. */
  async function register(email: string): Promise<void> {
    const body = JSON.stringify({ email, name: 'Somebody', password: 'correct horse battery staple' })
    const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body }
    for (let attempt = 1; !stopping || attempt === 1; attempt += 1) {
      const spaced = pause(INTERVAL_MS)
      const { status, body } = await send('registration', '/users', init)
      if (status === 201) acknowledged.set(email, (body as { id: string }).id)
      if (status === 400 && attempt > 1) foundTaken.add(email)
      await spaced
      if (typeof status === 'number' && status < 500) return
    }
  }

  async function read(): Promise<void> {
    const spaced = pause(INTERVAL_MS)
    const ids = [...acknowledged.values()]
    await send('read', ids.length === 0 ? '/teams' : `/users/${ids[Math.floor(Math.random() * ids.length)]}`)
    await spaced
  }

  const client = async (work: (n: number) => Promise<void>) => {
    for (let n = 0; !stopping; n += 1) await work(n)
  }
  const clients = [
    ...Array.from({ length: REGISTERING }, (_, c) => client((n) => register(`client-${c}-${n}@example.com`))),
    ...Array.from({ length: READING }, () => client(read)),
  ]
  return {
    sightings,
    acknowledged,
    foundTaken,
    async stop() {
      stopping = true
      await Promise.all(clients)
    },
  }
}
