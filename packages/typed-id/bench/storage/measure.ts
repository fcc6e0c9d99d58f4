import { createUuidv7, defineId, uuidv4 } from '../../src/index.ts'
import { median } from '../harness.ts'
import { type Engine, type Key, WAYS, type Way } from './engine.ts'

const BATCH = 10_000
const ROUNDS = 7
const LOOKUPS = 2000

/** What was measured for one way on one engine. Times are processor times. */
export interface Result {
  readonly engine: string
  readonly way: Way
  /** Bytes. */
  readonly tables: number
  readonly indexes: number
  /** Rows per second. */
  readonly insertRate: number
  /** Microseconds per query. */
  readonly lookup: number
  /** Microseconds per row. */
  readonly join: number
  readonly page: number
  /** The largest deviation of the quartiles from the median, as a fraction. */
  readonly spread: number
}

/** The latest millisecond of a version 7 id: one id per millisecond, as in a table that has grown slowly. */
let now = Date.UTC(2024, 0, 1)
const TYPES = {
  'version 7': defineId('user', { uuid: createUuidv7({ now: () => now++ }) }),
  'version 4': defineId('user', { uuid: uuidv4 }),
}

/** Fills the tables of all ways in turn and measures them in turn, so a slower phase of the machine affects all ways. */
export async function measureStorage(engine: Engine, rows: number): Promise<Result[]> {
  const time = async (action: () => Promise<unknown>) => {
    const start = engine.readProcessorTime()
    await action()
    return engine.readProcessorTime() - start
  }
  const keys = new Map<Way, Key[]>(WAYS.map((way) => [way, []]))
  const times = new Map(WAYS.map((way) => [way, { insert: 0, lookup: [], join: [], page: [] } as Times]))

  for (let left = rows; left > 0; left -= BATCH) {
    for (const way of WAYS) {
      const type = TYPES[way.slice(-9) as keyof typeof TYPES]
      const batch = Array.from({ length: Math.min(left, BATCH) }, () => engine.toKey(way, type.generate()))
      keys.get(way)?.push(...batch)
      timesOf(way).insert += await time(() => engine.insert(way, batch))
    }
  }
  for (const way of WAYS) await engine.fill(way)

  for (let round = 0; round < ROUNDS; round++) {
    for (const way of WAYS) {
      const all = keys.get(way) as Key[]
      const random = () => all[Math.floor(Math.random() * rows)] as Key
      const { lookup, join, page } = timesOf(way)
      const chosen = Array.from({ length: LOOKUPS }, random)
      lookup.push((await time(() => engine.lookUp(way, chosen))) / LOOKUPS)
      join.push((await time(() => engine.join(way))) / rows)
      let read = 0
      const after = Array.from({ length: 20 }, random)
      const taken = await time(async () => {
        for (const key of after) read += await engine.readPage(way, key, BATCH)
      })
      page.push(taken / read)
    }
  }

  function timesOf(way: Way): Times {
    return times.get(way) as Times
  }
  const results: Result[] = []
  for (const way of WAYS) {
    const { insert, lookup, join, page } = timesOf(way)
    results.push({
      engine: engine.name,
      way,
      ...(await engine.measureSize(way)),
      insertRate: (rows / insert) * 1000,
      lookup: median(lookup) * 1000,
      join: median(join) * 1000,
      page: median(page) * 1000,
      spread: Math.max(...[lookup, join, page].map(spreadOf)),
    })
  }
  return results
}

interface Times {
  insert: number
  readonly lookup: number[]
  readonly join: number[]
  readonly page: number[]
}

function spreadOf(sorted: number[]): number {
  const middle = median(sorted)
  const quartiles = [sorted[sorted.length >> 2], sorted[(sorted.length * 3) >> 2]] as [number, number]
  return Math.max(...quartiles.map((quartile) => Math.abs(quartile - middle) / middle))
}
