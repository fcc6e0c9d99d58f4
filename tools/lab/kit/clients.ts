import { Agent } from 'node:http'
import { type Exchange, type HttpRequest, send } from './http.ts'
import { createJudge, createRouter, readDocument } from './judge.ts'
import { ANY_ID, keyOf, type Ledger, type State } from './ledger.ts'

/** A request that writes, with its effect on one record. */
export interface Write extends HttpRequest {
  readonly key: string
  readonly status: number
  /** The status with which the service responds to a retry if an earlier attempt was stored. */
  readonly duplicateStatus?: number
  /** The state of the record after the write. A response with a status from 400 changes nothing. */
  readonly after: State
}

/** A client with one keep-alive connection that sends one request at a time. */
export interface Client {
  readonly index: number
  isStopping(): boolean
  send(request: HttpRequest, baseUrl?: string): Promise<Exchange>
  /** Sends a write and registers its effect in the ledger. */
  write(write: Write, baseUrl?: string): Promise<Exchange>
}

export interface Clients {
  readonly exchanges: readonly Exchange[]
  /** Responses that differ from the OpenAPI document, or from the status and state that a write must produce. */
  readonly failures: readonly string[]
  /** Stops after running requests have completed. Throws the error of a client. */
  stop(): Promise<void>
}

/**
 * Starts clients that each repeat `work` until `stop`. Compares every response with the OpenAPI document of the
 * service, and registers every write in the ledger.
 */
export async function startClients(options: {
  readonly url: string
  readonly count: number
  readonly ledger: Ledger
  readonly timeoutMs?: number
  /** Whether `exchanges` keeps the exchanges, which would fill the memory in a long run. True by default. */
  readonly keepsExchanges?: boolean
  work(client: Client, turn: number): Promise<unknown>
}): Promise<Clients> {
  const { url, count, ledger, timeoutMs, keepsExchanges = true, work } = options
  const document = await readDocument(url)
  const judge = createJudge(document)
  const operationOf = createRouter(document)
  const exchanges: Exchange[] = []
  const failures: string[] = []
  let isStopping = false

  /** Runs `check`, and adds its error to the failures, with the request. */
  function verify({ request: { method, path } }: Exchange, check: () => void): void {
    try {
      check()
    } catch (error) {
      failures.push(`${method} ${path}: ${(error as Error).message}`)
    }
  }

  function createClient(index: number, agent: Agent): Client {
    async function sendJudged(request: HttpRequest, baseUrl = url): Promise<Exchange> {
      const exchange = await send(agent, baseUrl, request, timeoutMs)
      if (keepsExchanges) exchanges.push(exchange)
      const { response } = exchange
      if (response) verify(exchange, () => judge(response, operationOf(request)))
      return exchange
    }
    return {
      index,
      isStopping: () => isStopping,
      send: sendJudged,
      async write(write, baseUrl) {
        const { method, path, body, key, status, duplicateStatus, after } = write
        const exchange = await sendJudged({ method, path, ...(body !== undefined && { body }) }, baseUrl)
        verify(exchange, () => {
          const { response } = exchange
          if (response === undefined || response.status === 503) {
            if (status < 400) ledger.addUncertain(key, after)
          } else if (response.status === duplicateStatus) ledger.acknowledge(key, after, after)
          else if (response.status !== status)
            throw new Error(`status ${response.status}, expected ${status}: ${response.body}`)
          else if (status < 400)
            ledger.acknowledge(key, after, response.body ? JSON.parse(response.body) : undefined)
        })
        return exchange
      },
    }
  }

  const runClient = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const client = createClient(index, agent)
    try {
      for (let turn = 0; !isStopping; turn += 1) await work(client, turn)
    } finally {
      isStopping = true // an error in one client stops all clients
      agent.destroy()
    }
  }
  const running = Promise.allSettled(Array.from({ length: count }, (_, index) => runClient(index)))
  return {
    exchanges,
    failures,
    async stop() {
      isStopping = true
      for (const result of await running) if (result.status === 'rejected') throw result.reason
    },
  }
}

export const createTeam = (name: string): Write => ({
  method: 'POST',
  path: '/teams',
  body: { name },
  key: keyOf.teams(name),
  status: 201,
  after: { id: ANY_ID, name },
})

export const createUser = (email: string, name: string, team?: State): Write => ({
  method: 'POST',
  path: '/users',
  body: { email, name, password: 'x', team_id: team?.id ?? null },
  key: keyOf.users(email),
  status: 201,
  after: { id: ANY_ID, email, name, team: team ?? null, roles: [] },
})
