import { type Running, startService } from 'testkit/process.ts'
import { beforeAll, describe, test } from 'vitest'
import { type ClientModule, useProfileA, useProfileB, useShortIds } from './cases.ts'
import { GENERATORS } from './generators.ts'

/** Starts a service with an empty database for the tests of a `describe`. */
function startForTests(profile: 'a' | 'b'): () => string {
  let service: Running
  beforeAll(async () => {
    service = await startService({ PROFILE: profile, DATABASE_URL: 'sqlite::memory:' })
    return () => service.stop()
  })
  return () => service.url
}

describe.each(GENERATORS)('the client of $package', ({ folder }) => {
  const client = (): Promise<ClientModule> => import(`./${folder}/client.ts`)

  describe('for Profile A', () => {
    const url = startForTests('a')

    test('sends ids in paths, queries and bodies, and receives them in nested objects', async () => {
      await useProfileA((await client()).profileA(url()))
    })
  })

  describe('for Profile B', () => {
    const url = startForTests('b')

    test('sends null for an id, and receives ids in arrays', async () => {
      await useProfileB((await client()).profileB(url()))
    })

    test('sends short ids', async () => {
      const { shortIds, profileB } = await client()
      await useShortIds(shortIds(url()), profileB(url()))
    })
  })
})
