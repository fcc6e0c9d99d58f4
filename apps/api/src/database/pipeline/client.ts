import { Socket } from 'node:net'
import pg from 'pg'

/** Time without a response after which other connections are preferred, in milliseconds. */
const PATIENCE_MS = 5

/** One connection to PostgreSQL that many requests share. Opened when it is needed, and again after it has broken. */
export class PipelinedClient {
  readonly #config: pg.ClientConfig
  readonly #stallMs: number
  #connecting: Promise<pg.Client> | undefined
  #socket = new Socket()
  #running = 0
  /** The time of the last response, or of the first statement since the connection was idle. */
  #progress = 0
  #timer: NodeJS.Timeout | undefined

  /** @param stallMs Time without any response after which the server is unreachable, in milliseconds. */
  constructor(config: pg.ClientConfig, stallMs: number) {
    this.#config = config
    this.#stallMs = stallMs
  }

  /** Whether the server has responded to nothing for a while, as when a statement waits for a lock. */
  get isStuck(): boolean {
    return this.#running > 0 && performance.now() - this.#progress > PATIENCE_MS
  }

  /** Number of statements that wait for their response. */
  get running(): number {
    return this.#running
  }

  async query(query: pg.QueryConfig): Promise<pg.QueryResult> {
    this.#connecting ??= this.#connect()
    const connecting = this.#connecting
    if (this.#running === 0) this.#progress = performance.now()
    this.#running += 1
    try {
      const client = await connecting
      this.#timer ??= setTimeout(() => this.#socket.destroy(), this.#stallMs)
      return await client.query(query)
    } catch (error) {
      const isUseless = isDisconnected(error) || isReadOnly(error)
      if (isUseless && this.#connecting === connecting) this.#disconnect() // unless another statement has connected again
      throw error
    } finally {
      this.#running -= 1
      this.#progress = performance.now()
      this.#timer?.refresh()
      if (this.#running === 0) this.#clearTimer()
    }
  }

  async end(): Promise<void> {
    const client = await this.#connecting?.catch(() => undefined)
    await client?.end()
  }

  #connect(): Promise<pg.Client> {
    const socket = new Socket()
    const client = new pg.Client({ ...this.#config, pipeline: true, keepAlive: true, stream: () => socket })
    const connecting = client.connect().then(() => client)
    const forget = () => {
      if (this.#connecting === connecting) this.#connecting = undefined
    }
    connecting.catch(forget)
    client.on('error', forget).on('end', forget)
    this.#socket = socket
    return connecting
  }

  /** Makes the next statement connect again. */
  #disconnect(): void {
    this.#connecting = undefined
    this.#socket.destroy()
  }

  #clearTimer(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
  }
}

/** Returns whether the connection has ended, or the server ends it: it shuts down, or the session was idle for too long. */
export const isDisconnected = (error: unknown): boolean => {
  const { code, message } = (error ?? {}) as { code?: string; message?: string }
  return /^(?:ECONNRESET|EPIPE|57P0[15])$/.test(code ?? '') || /^Connection terminated/.test(message ?? '')
}

/** Returns whether the server has become a standby. The host name may lead to the primary. */
const isReadOnly = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === '25006'
