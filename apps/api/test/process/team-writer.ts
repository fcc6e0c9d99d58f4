import type { Client } from 'testkit/client.ts'
import { expect } from 'vitest'

/**
 * Creates teams and remembers the confirmed ones. `currentClient` returns a
 * client of the running service.
 */
export function createTeamWriter(currentClient: () => Client) {
  const confirmed: string[] = []
  let requested = 0
  return {
    /**
     * Creates teams concurrently, and returns the number of responses by
     * status. Each response must be a 201 or a valid 503.
     */
    async createTeams(count: number): Promise<{ 201: number; 503: number }> {
      const counts = { 201: 0, 503: 0 }
      const names = Array.from(
        { length: count },
        (_, n) => `team ${requested + n} ${'x'.repeat(80)}`,
      )
      requested += count
      await Promise.all(
        names.map(async (name) => {
          const { status, headers, json } = await currentClient().post(
            '/teams',
            { name },
          )
          if (status === 201) confirmed.push(name)
          else {
            expect({ status, json }).toEqual({
              status: 503,
              json: { detail: 'Service Unavailable' },
            })
            expect(headers.get('retry-after')).toMatch(/^\d+$/)
          }
          counts[status as 201 | 503] += 1
        }),
      )
      return counts
    },
    async expectConfirmedTeams(): Promise<void> {
      const { status, json } = await currentClient().get('/teams')
      expect(status).toBe(200)
      expect(json.map(({ name }: { name: string }) => name).sort()).toEqual(
        [...confirmed].sort(),
      )
    },
  }
}
