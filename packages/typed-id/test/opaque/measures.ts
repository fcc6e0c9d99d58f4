import { defineId, type TypedId } from '../../src/index.ts'
import type { OpaqueIds } from '../../src/opaque.ts'
import { seededUuids } from '../../src/testing.ts'

type UserIds = OpaqueIds<'user'>

/** Creates ids, `perMs` of them in each millisecond. */
function* createIds(count: number, perMs: number): Generator<TypedId<'user'>> {
  let calls = 0
  const now = () => Date.UTC(2024, 0, 1) + Math.floor(calls++ / perMs)
  const { generate } = defineId('user', { uuid: seededUuids({ seed: 47, now }) })
  for (let i = 0; i < count; i++) yield generate()
}

/**
 * Flips one bit of the counter or of the random bits of each id, and returns how often each bit of the masked time
 * changes: the mean of all bits, and the greatest difference of one bit from one half. Skips the 4 bits of the number.
 */
export function measureAvalanche(
  { type, toOpaque }: UserIds,
  count: number,
): { mean: number; worst: number } {
  const inputs = Array.from({ length: 76 }, (_, i) => 52 + i).filter((bit) => bit !== 64 && bit !== 65) // the variant
  const changes = new Array<number>(44).fill(0)
  let done = 0
  for (const id of createIds(count, 1)) {
    const flipped = type.toBytes(id)
    const bit = inputs[done++ % inputs.length] as number
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (128 >> (bit & 7))
    const [before, after] = [id, type.fromBytes(flipped)].map((each) => timeBits(type.toUuid(toOpaque(each))))
    for (let i = 0; i < 44; i++) if (before?.[i] !== after?.[i]) changes[i] = (changes[i] as number) + 1
  }
  const rates = changes.map((changed) => changed / count)
  return {
    mean: rates.reduce((sum, rate) => sum + rate) / 44,
    worst: Math.max(...rates.map((rate) => Math.abs(rate - 0.5))),
  }
}

/** Returns the last 44 bits of the time of a UUID, as text. */
function timeBits(uuid: string): string {
  return Number.parseInt(uuid.slice(1, 8) + uuid.slice(9, 13), 16)
    .toString(2)
    .padStart(44, '0')
}

/**
 * Creates ids, 1,000 per millisecond, and compares the order of creation with the order of their opaque ids: Spearman's
 * rank correlation, and the number of successive ids whose opaque ids show successive counters.
 */
export function measureOrder(
  { type, toOpaque }: UserIds,
  count: number,
): { rank: number; neighbours: number } {
  const opaque = Array.from(createIds(count, 1000), (id) => type.toUuid(toOpaque(id)))
  const sorted = opaque
    .map((_, i) => i)
    .sort((a, b) => ((opaque[a] as string) < (opaque[b] as string) ? -1 : 1))
  const squares = sorted.reduce((sum, created, shown) => sum + (created - shown) ** 2, 0)
  const counters = opaque.map(
    (uuid) =>
      Number.parseInt(uuid.slice(15, 18), 16) * 2 ** 14 + (Number.parseInt(uuid.slice(19, 23), 16) & 0x3fff),
  )
  return {
    rank: 1 - (6 * squares) / (count * (count ** 2 - 1)),
    neighbours: counters.filter((counter, i) => counter - 1 === counters[i - 1]).length,
  }
}
