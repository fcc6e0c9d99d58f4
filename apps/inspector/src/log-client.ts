import type { Progress, Row } from './log.ts'
import type { Filter } from './tally.ts'
import type { Request, Response } from './worker.ts'

/** Returns the functions of the worker that searches a log. `source` is its program. */
export function createLogClient(
  source: string,
  onProgress: (progress: Progress, revision: number) => void,
  onFailure: (message: string) => void,
) {
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
  const waiting = new Map<number, (value: never) => void>()
  let revision = 0
  let tickets = 0

  worker.addEventListener('message', ({ data }: MessageEvent<Response>) => {
    if ('ticket' in data) {
      waiting.get(data.ticket)?.(data.value as never)
      waiting.delete(data.ticket)
    } else if (data.revision !== revision) {
      return // of a log or a filter that was replaced
    } else if ('failure' in data) {
      onFailure(data.failure)
    } else {
      onProgress(data.progress, revision)
    }
  })

  const send = (request: Request) => worker.postMessage(request)
  const ask = <T>(request: (ticket: number) => Request) =>
    new Promise<T>((resolve) => {
      waiting.set(++tickets, resolve)
      send(request(tickets))
    })

  return {
    open: (blob: Blob): void => send({ open: blob, revision: ++revision }),
    /** Stops the search. */
    close: (): void => send({ open: new Blob(), revision: ++revision }),
    filter: (filter: Filter | undefined): void => send({ filter, revision: ++revision }),
    readRows: (first: number, count: number) =>
      ask<readonly Row[]>((ticket) => ({ rows: { first, count }, ticket })),
    findNeighbour: (index: number, step: 1 | -1) =>
      ask<number | undefined>((ticket) => ({ neighbour: { index, step }, ticket })),
  }
}

export type LogClient = ReturnType<typeof createLogClient>
