import { expect } from 'vitest'
import { type Client, clientOf } from './client.ts'

export interface Recorder extends Client {
  /** Names of the teams that were answered with 201. */
  readonly answered: string[]
  /** Creates so many teams at once; every answer is a 201 or a proper 503. Returns how many there were of each. */
  createTeams(count: number): Promise<{ 201: number; 503: number }>
  /** Expects that every team that was answered is listed, and no other. */
  expectAll(): Promise<void>
}

/** A client that remembers what it was answered. */
export function recorderOf(url: () => string): Recorder {
  const client = clientOf((path, init) => fetch(url() + path, init))
  const answered: string[] = []
  let asked = 0
  return {
    ...client,
    answered,
    async createTeams(count) {
      const counts = { 201: 0, 503: 0 }
      const names = Array.from({ length: count }, (_, n) => `team ${asked + n} ${'x'.repeat(80)}`)
      asked += count
      await Promise.all(
        names.map(async (name) => {
          const { status, headers, json } = await client.post('/teams', { name })
          if (status === 201) answered.push(name)
          else {
            expect({ status, json }).toEqual({ status: 503, json: { detail: 'Service Unavailable' } })
            expect(headers.get('retry-after')).toMatch(/^\d+$/)
          }
          counts[status as 201 | 503] += 1
        }),
      )
      return counts
    },
    async expectAll() {
      const { status, json } = await client.get('/teams')
      expect(status).toBe(200)
      expect(json.map(({ name }: { name: string }) => name).sort()).toEqual([...answered].sort())
    },
  }
}
