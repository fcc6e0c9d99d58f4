import type { Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { startTcpProxy } from 'testkit/tcp-proxy.ts'

/** What happens to the bytes of a connection. */
export type Disturbance =
  /** The connection stays open, but no byte arrives. */
  | { readonly kind: 'drop' }
  /** Each packet arrives later, in order. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** The connection breaks after this many bytes of the server's next response, or of its response to COMMIT. */
  | { readonly kind: 'cut'; readonly bytes: number; readonly inCommit: boolean }

/** The statement in the protocol of PostgreSQL. */
const COMMIT = 'commit\0'

export type FaultyProxy = Awaited<ReturnType<typeof startFaultyProxy>>

/** Starts a TCP proxy in front of PostgreSQL whose connections can be disturbed. */
export async function startFaultyProxy(url: string) {
  let disturbance: Disturbance | undefined
  const clients = new Set<Socket>()
  /** Connections that have lost bytes: they break when the disturbance ends. */
  const damaged = new Set<Socket>()

  const proxy = await startTcpProxy(url, (client, server) => {
    clients.add(client)
    let budget: number | undefined
    /** Passes packets to `write` one after another, and ends the other side when this side has ended. */
    const forward = (from: Socket, to: Socket, write: (data: Buffer) => void) => {
      let queue = Promise.resolve()
      const later = (work: () => void) => {
        const ms = disturbance?.kind === 'delay' ? disturbance.ms : 0
        queue = queue.then(() => (ms > 0 ? pause(ms) : undefined)).then(work)
      }
      from.on('data', (data) => {
        if (disturbance?.kind === 'drop') damaged.add(client)
        else later(() => write(data))
      })
      from.on('close', () => later(() => to.destroy()))
    }
    forward(client, server, (data) => {
      if (disturbance?.kind === 'cut' && (!disturbance.inCommit || data.includes(COMMIT)))
        budget ??= disturbance.bytes
      server.write(data)
    })
    forward(server, client, (data) => {
      const part = data.subarray(0, budget)
      client.write(part)
      if (budget === undefined) return
      budget -= part.length
      if (budget === 0) client.destroySoon()
    })
    client.on('close', () => clients.delete(client))
  })

  return {
    ...proxy,
    /** Disturbs the open connections and new ones for some time. */
    async disturb(next: Disturbance, ms: number): Promise<void> {
      disturbance = next
      await pause(ms)
      disturbance = undefined
      for (const client of damaged) client.destroy()
      damaged.clear()
    },
    /** Breaks every open connection with a TCP reset. */
    reset(): void {
      for (const client of clients) client.resetAndDestroy()
    },
  }
}
