import type { IdType } from '../index.ts'
import { put, type Terminal } from './filter.ts'

const BATCH = 10_000

/** Writes `count` new ids, a batch at a time, so that any number of them takes the same memory. */
export async function generate(
  { stdout }: Terminal,
  type: IdType<string>,
  count: number,
  short: boolean,
): Promise<number> {
  for (let left = count; left > 0; left -= BATCH) {
    const ids = type.generateMany(Math.min(left, BATCH))
    await put(stdout, `${(short ? ids.map(type.toShort) : ids).join('\n')}\n`)
  }
  return 0
}
