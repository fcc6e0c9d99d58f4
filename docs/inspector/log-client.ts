import type { Progress, Row } from './log.ts'
import type { Filter } from './tally.ts'
import type { Request, Response } from './worker.ts'

/** Returns the functions of the worker that searches a log. `source` is its program. */
export function createLogClient(
  source: string,
  onProgress: (progress: Progress) => void,
  onFailure: (message: string) => void,
) {
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
  const waiting = new Map<number, (value: never) => void>()
  let opened = 0
  let tickets = 0

  worker.addEventListener('message', ({ data }: MessageEvent<Response>) => {
    if ('ticket' in data) {
      waiting.get(data.ticket)?.(data.value as never)
      waiting.delete(data.ticket)
    } else if (data.opened !== opened) {
      return // from a log that was replaced
    } else if ('failure' in data) {
      onFailure(data.failure)
    } else {
      onProgress(data.progress)
    }
  })

  const send = (request: Request) => worker.postMessage(request)
  const ask = <T>(request: (ticket: number) => Request) =>
    new Promise<T>((resolve) => {
      waiting.set(++tickets, resolve)
      send(request(tickets))
    })

  return {
    open(blob: Blob): void {
      opened++
      send({ open: blob })
    },
    filter: (filter: Filter | undefined): void => send({ filter }),
    readRows: (first: number, count: number) =>
      ask<readonly Row[]>((ticket) => ({ rows: { first, count }, ticket })),
    findNeighbour: (index: number, step: 1 | -1) =>
      ask<number | undefined>((ticket) => ({ neighbour: { index, step }, ticket })),
  }
}

export type LogClient = ReturnType<typeof createLogClient>
