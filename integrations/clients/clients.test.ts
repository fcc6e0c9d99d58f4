import { globSync, readFileSync } from 'node:fs'
import { type Running, startService } from 'testkit/process.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, useClient } from './cases.ts'
import { GENERATORS } from './generators.ts'

let service: Running
beforeAll(async () => {
  service = await startService({ DATABASE_URL: 'sqlite::memory:' })
})
afterAll(() => service.stop())

describe.each(GENERATORS)('the client of $package', ({ folder }) => {
  test('sends ids in paths, queries and bodies, and receives them in nested objects', async () => {
    const { connect }: { connect(url: string): Client } = await import(
      `./${folder}/client.ts`
    )
    await useClient(connect(service.url))
  })

  test('is checked by the compiler', () => {
    const files = globSync(`${import.meta.dirname}/generated/${folder}/**/*.ts`)
    expect(files.length).toBeGreaterThanOrEqual(3)
    for (const file of files)
      expect(readFileSync(file, 'utf8'), file).not.toContain('@ts-nocheck')
  })
})
