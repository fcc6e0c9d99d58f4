import type { Progress, Row } from './log.ts'
import type { Filter, Occurrences } from './tally.ts'
import type { Method, Request, Response } from './worker.ts'

/** Starts the worker that searches a log, and returns functions that call it. `source` is the program of the worker. */
export function createLogClient(
  source: string,
  onProgress: (progress: Progress, revision: number, key: number | undefined) => void,
  onFailure: (message: string) => void,
) {
  const worker = new Worker(URL.createObjectURL(new Blob([source], { type: 'text/javascript' })))
  const waiting = new Map<number, (value: never) => void>()
  let revision = 0
  let opened = 0 // the revision of the log
  let tickets = 0

  worker.addEventListener('message', ({ data }: MessageEvent<Response>) => {
    if ('ticket' in data) {
      waiting.get(data.ticket)?.(data.value as never)
      waiting.delete(data.ticket)
    } else if (data.revision < opened) {
      return // ignores a response about a log that was replaced
    } else if ('failure' in data) {
      onFailure(data.failure)
    } else {
      onProgress(data.progress, data.revision, data.key)
    }
  })

  const send = (request: Request) => worker.postMessage(request)
  const ask =
    <Values extends readonly unknown[], Result>(method: Method) =>
    (...values: Values) =>
      new Promise<Result>((resolve) => {
        waiting.set(++tickets, resolve)
        send({ method, values, ticket: tickets })
      })

  return {
    open(blob: Blob): void {
      opened = ++revision
      send({ open: blob, revision })
    },
    filter: (filter: Filter | undefined): void => send({ filter, revision: ++revision }),
    readRows: ask<[first: number, count: number], readonly Row[] | undefined>('readRows'),
    findNeighbour: ask<[index: number, step: 1 | -1, key?: number], number | undefined>('findNeighbour'),
    findOccurrences: ask<[key: number], Occurrences | undefined>('findOccurrences'),
    writeIds: ask<[isCsv: boolean], Blob | undefined>('writeIds'),
  }
}

export type LogClient = ReturnType<typeof createLogClient>
