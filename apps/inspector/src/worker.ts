import { createLog, type Log, type Progress, type Row } from './log.ts'
import type { Filter } from './tally.ts'

/** Every log and every filter has a new revision, so the page knows which of them a response is for. */
export type Request =
  | { readonly open: Blob; readonly revision: number }
  | { readonly filter: Filter | undefined; readonly revision: number }
  | { readonly rows: { readonly first: number; readonly count: number }; readonly ticket: number }
  | { readonly neighbour: { readonly index: number; readonly step: 1 | -1 }; readonly ticket: number }

export type Response =
  | { readonly progress: Progress; readonly revision: number }
  | { readonly failure: string; readonly revision: number }
  | { readonly value: readonly Row[] | number | undefined; readonly ticket: number }

/** Between two progress messages, in milliseconds. */
const INTERVAL = 100

let revision = 0
let log: Log | undefined

const send = (response: Response) => postMessage(response)

addEventListener('message', async ({ data }: MessageEvent<Request>) => {
  if ('revision' in data) revision = data.revision
  if ('open' in data) return open(data.open)
  if (!log) return
  if ('filter' in data) {
    log.filter(data.filter)
    send({ progress: log.progress(), revision })
  } else if ('rows' in data) {
    const { first, count } = data.rows
    const rows = await log.readRows(first, count).catch((error) => {
      send({ failure: String(error), revision })
      return []
    })
    send({ ticket: data.ticket, value: rows })
  } else {
    const { index, step } = data.neighbour
    send({ ticket: data.ticket, value: log.findNeighbour(index, step) })
  }
})

/** Searches a log until another one is opened. Requests for rows are handled between two chunks. */
async function open(blob: Blob): Promise<void> {
  const current = createLog(blob)
  log = current
  let sent = 0
  try {
    for await (const _ of current.scan()) {
      if (log !== current) return
      const now = performance.now()
      if (now - sent < INTERVAL) continue
      sent = now
      send({ progress: current.progress(), revision })
    }
    if (log === current) send({ progress: current.progress(), revision })
  } catch (error) {
    if (log === current) send({ failure: String(error), revision })
  }
}
