import type { IdType } from '../core/types.ts'
import { put, type Terminal } from './terminal.ts'

const BATCH = 10_000

/** Writes `count` new ids in batches, so memory use does not grow with `count`. */
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
