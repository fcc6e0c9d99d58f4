import { type Running, startService } from 'testkit/process.ts'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { type ClientModule, useProfileA, useProfileB, useShortIds } from './cases.ts'
import { GENERATORS } from './generators.ts'

let a: Running
let b: Running
beforeAll(async () => {
  const start = (PROFILE: string) => startService({ PROFILE, DATABASE_URL: 'sqlite::memory:' })
  ;[a, b] = await Promise.all([start('a'), start('b')])
})
afterAll(() => Promise.all([a.stop(), b.stop()]))

describe.each(GENERATORS)('the client of $package', ({ folder }) => {
  const client = (): Promise<ClientModule> => import(`./${folder}/client.ts`)

  test('sends ids in paths, queries and bodies, and receives them in nested objects', async () => {
    await useProfileA((await client()).profileA(a.url))
  })

  test('sends null for an id, and receives ids in arrays', async () => {
    await useProfileB((await client()).profileB(b.url))
  })

  test('sends short ids', async () => {
    const { shortIds, profileB } = await client()
    await useShortIds(shortIds(b.url), profileB(b.url))
  })
})
