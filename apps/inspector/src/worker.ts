import { createLog, type Log, type Progress } from './log.ts'
import type { Filter } from './tally.ts'

/** The functions of the log that the page can call. */
export type Method = 'readRows' | 'findNeighbour' | 'findOccurrences' | 'writeIds'

/** Every log and every filter has a new revision. A response has the revision of its log and filter. */
export type Request =
  | { readonly open: Blob; readonly revision: number }
  | { readonly filter: Filter | undefined; readonly revision: number }
  | { readonly method: Method; readonly values: readonly unknown[]; readonly ticket: number }

/** `key` is the key of the id in the text of the filter, if the text is an id. */
export type Response =
  | { readonly progress: Progress; readonly revision: number; readonly key?: number | undefined }
  | { readonly failure: string; readonly revision: number }
  | { readonly value: unknown; readonly ticket: number }

/** Time between two progress messages, in milliseconds. */
const INTERVAL = 100

export function startWorker(): void {
  let revision = 0 // the revision of the last request
  let applied = 0 // the revision of the log and filter that the page shows
  let log: Log | undefined
  let opening: Promise<void> | undefined

  const send = (response: Response) => postMessage(response)

  addEventListener('message', async ({ data }: MessageEvent<Request>) => {
    if ('revision' in data) revision = data.revision
    if ('open' in data) {
      applied = revision
      opening = open(data.open)
    } else if (log && 'filter' in data) {
      await filter(log, data.filter)
    } else if (log && 'ticket' in data) {
      const { method, values, ticket } = data
      const call = log[method] as (...values: readonly unknown[]) => unknown
      const value = await (async () => call(...values))().catch(fail)
      send({ ticket, value })
    }
  })

  const fail = (error: unknown) => send({ failure: String(error), revision })

  /** Applies a filter until another one is requested. Searches for the text of the filter after the log was read. */
  async function filter(current: Log, filter: Filter | undefined): Promise<void> {
    const requested = revision
    const isCurrent = () => revision === requested
    const text = filter?.text ?? ''
    if (text) await opening
    const rows = text && isCurrent() ? await current.findRows(text, isCurrent).catch(fail) : undefined
    if (!isCurrent() || (text && !rows)) return
    current.filter(filter, rows || undefined)
    applied = revision
    send({ progress: current.progress(), revision, key: text ? current.findKeyOf(text) : undefined })
  }

  /** Searches a log until another one is opened. Handles requests for rows between two chunks. */
  async function open(blob: Blob): Promise<void> {
    const current = createLog(blob)
    log = current
    let sent = 0
    try {
      for await (const _ of current.scan()) {
        if (log !== current) return
        const progress = current.progress()
        const now = performance.now()
        if (now - sent < INTERVAL || progress.read === progress.size) continue
        sent = now
        send({ progress, revision: applied })
      }
      if (log === current) send({ progress: current.progress(), revision: applied })
    } catch (error) {
      if (log === current) fail(error)
    }
  }
}
