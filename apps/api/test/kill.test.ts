import { expect, test } from 'vitest'
import { kill } from './kill.ts'

test.each([
  { engine: 'sqlite', victim: 'service', kills: 3 },
  { engine: 'postgres', victim: 'service', kills: 2 },
  { engine: 'postgres', victim: 'database', kills: 2 },
] as const)(
  'an answered write is there after SIGKILL of the $victim on $engine, and every other is there wholly or not at all',
  async (order) => {
    const { lost, torn, damage, answered, cut, unavailable, seed } = await kill(order)
    expect({ lost, torn, damage }, `with the seed ${seed}`).toEqual({ lost: [], torn: [], damage: [] })
    expect(answered).toBeGreaterThanOrEqual(48 * order.kills)
    // Of its writers each had one request on its way; while the database is away the service itself answers.
    if (order.victim === 'service') expect(cut).toBeGreaterThan(0)
    else expect({ cut, unavailable }).toEqual({ cut: 0, unavailable: expect.toSatisfy((n) => n > 0) })
  },
  60_000,
)
