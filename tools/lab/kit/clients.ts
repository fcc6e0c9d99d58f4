import { Agent } from 'node:http'
import { type Exchange, type HttpRequest, send } from './http.ts'
import { createJudge, createRouter, readDocument } from './judge.ts'
import { createLedger, type Fields, keyOf, type Ledger } from './ledger.ts'

/** A request that creates a record, with its key in the ledger and the fields that the record must have. */
export interface Creation extends HttpRequest {
  readonly key: string
  readonly expected: Fields
}

/** A client with one keep-alive connection that sends one request at a time. */
export interface Client {
  readonly index: number
  isStopping(): boolean
  send(request: HttpRequest, baseUrl?: string): Promise<Exchange>
  /** Creates a record and registers it in the ledger. A retry may get 400, if an earlier attempt was stored. */
  create(creation: Creation, options?: { baseUrl?: string; isRetry?: boolean }): Promise<Exchange>
}

export interface Clients {
  readonly exchanges: readonly Exchange[]
  /** Responses that differ from the OpenAPI document, or from what a creation must return. */
  readonly failures: readonly string[]
  readonly ledger: Ledger
  /** Stops after running requests have completed. Throws the error of a client. */
  stop(): Promise<void>
}

/**
 * Starts clients that each repeat `work` until `stop`. Compares every response with the OpenAPI document of the
 * service.
 */
export async function startClients(options: {
  readonly url: string
  readonly count: number
  readonly timeoutMs?: number
  /** Whether `exchanges` keeps the exchanges, which would fill the memory in a long run. True by default. */
  readonly keepsExchanges?: boolean
  work(client: Client, turn: number): Promise<unknown>
}): Promise<Clients> {
  const { url, count, timeoutMs, keepsExchanges = true, work } = options
  const document = await readDocument(url)
  const judge = createJudge(document)
  const operationOf = createRouter(document)
  const ledger = createLedger()
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
      async create({ key, expected, ...request }, { baseUrl, isRetry = false } = {}) {
        const exchange = await sendJudged(request, baseUrl)
        verify(exchange, () => {
          const { status = 503, body = '' } = exchange.response ?? {}
          if (status === 503) ledger.addUncertain(key, expected)
          else if (status === 400 && isRetry) ledger.acknowledge(key, expected)
          else if (status === 201) ledger.acknowledge(key, expected, JSON.parse(body))
          else throw new Error(`status ${status}, expected 201: ${body}`)
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
    ledger,
    async stop() {
      isStopping = true
      for (const result of await running) if (result.status === 'rejected') throw result.reason
    },
  }
}

export const createTeam = (name: string): Creation => ({
  method: 'POST',
  path: '/teams',
  body: { name },
  key: keyOf.teams(name),
  expected: { name },
})

export const createUser = (email: string, name: string): Creation => ({
  method: 'POST',
  path: '/users',
  body: { email, name, password: 'x' },
  key: keyOf.users(email),
  expected: { email, name, team: null, roles: [] },
})
