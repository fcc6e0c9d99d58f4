import { Agent, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'

const CLIENTS = { read: 20, write: 16, registration: 4 }

type Kind = keyof typeof CLIENTS

/** Between two requests of one client. */
const PAUSE_MS = 10

export interface Load {
  readonly clients: number
  /** By kind and status, or the code of what came instead of an answer. */
  readonly answers: ReadonlyMap<string, number>
  readonly failures: readonly string[]
  /** The ids of what was answered with 201. */
  readonly written: ReadonlySet<string>
  /** How long each request took, in milliseconds. */
  readonly times: readonly number[]
  /** Lets the running requests end. */
  stop(): Promise<void>
}

const EXPECTED: Record<Kind, number> = { read: 200, write: 201, registration: 201 }

/** Reads, writes and registers by clients that each keep one connection, until told to stop; none tries again. */
export function startLoad(url: string): Load {
  const answers = new Map<string, number>()
  const failures: string[] = []
  const written = new Set<string>()
  const teams: string[] = []
  const times: number[] = []
  let stopping = false

  async function exchange(kind: Kind, agent: Agent, method: string, path: string, body?: object) {
    const started = performance.now()
    const { status, text } = await send(agent, url + path, method, body)
    const ms = performance.now() - started
    times.push(ms)
    const told = `${kind} ${status}`
    answers.set(told, (answers.get(told) ?? 0) + 1)
    if (status !== EXPECTED[kind])
      failures.push(`${told} after ${Math.round(ms)} ms at ${new Date().toISOString()}`)
    if (status !== 201) return undefined
    const { id } = JSON.parse(text) as { id: string }
    written.add(id)
    return id
  }

  const work: Record<Kind, (agent: Agent, name: string) => Promise<void>> = {
    async read(agent) {
      const id = teams[Math.floor(Math.random() * teams.length)]
      await exchange('read', agent, 'GET', id === undefined ? '/teams?limit=1' : `/teams/${id}`)
    },
    async write(agent, name) {
      const id = await exchange('write', agent, 'POST', '/teams', { name })
      if (id !== undefined) teams.push(id)
    },
    async registration(agent, name) {
      await exchange('registration', agent, 'POST', '/users', {
        email: `${name}@example.com`,
        name,
        password: 'x',
      })
    },
  }

  async function client(kind: Kind, number: number): Promise<void> {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    for (let n = 0; !stopping; n += 1) {
      await work[kind](agent, `${kind}-${number}-${n}`)
      await pause(PAUSE_MS)
    }
    agent.destroy()
  }

  const kinds = Object.entries(CLIENTS) as [Kind, number][]
  const clients = kinds.flatMap(([kind, count]) => Array.from({ length: count }, (_, n) => client(kind, n)))
  return {
    clients: clients.length,
    answers,
    failures,
    written,
    times,
    async stop() {
      stopping = true
      await Promise.all(clients)
    },
  }
}

interface Answer {
  readonly status: number | string
  readonly text: string
}

/** Not `fetch`, which may try again over another connection. */
function send(agent: Agent, url: string, method: string, body?: object): Promise<Answer> {
  const { promise, resolve } = Promise.withResolvers<Answer>()
  const failed = (error: NodeJS.ErrnoException) => resolve({ status: error.code ?? error.name, text: '' })
  const headers = body ? { 'content-type': 'application/json' } : {}
  request(url, { agent, method, headers, timeout: 30_000 }, (response) => {
    let text = ''
    response.setEncoding('utf8').on('data', (chunk) => {
      text += chunk
    })
    response.on('error', failed).on('end', () => resolve({ status: response.statusCode ?? 0, text }))
  })
    .on('timeout', () => resolve({ status: 'nothing for 30 s', text: '' }))
    .on('error', failed)
    .end(body && JSON.stringify(body))
  return promise
}
