import { beforeAll, describe, expect, test } from 'vitest'
import { type Running, startService } from '../../apps/api/test/support/process.ts'
import { useProfileA, useProfileB, useShortIds } from './cases.ts'
import { compileErrors, wrongIds } from './compile.ts'
import { GENERATORS } from './generators.ts'
import { linesOf, readme } from './table.ts'

describe.each(GENERATORS)('$package', ({ folder, client }) => {
  test('the plugin has at most 30 lines', () => {
    expect(linesOf(folder)).toBeLessThanOrEqual(30)
  })

  test('the generated clients compile, and no wrong id does', { timeout: 120_000 }, async () => {
    expect(await compileErrors('typed', folder)).toEqual([])
    expect(await wrongIds('typed', folder)).toEqual({ total: 7, compile: 0 })
  })

  test('without the plugin, the generated clients compile, and wrong ids do, too', {
    timeout: 120_000,
  }, async () => {
    const errors = await compileErrors('plain', folder)
    expect(errors.filter((line) => line.startsWith('clients/generated/'))).toEqual([])
    expect((await wrongIds('plain', folder)).compile).toBeGreaterThanOrEqual(5)
  })

  for (const profile of ['a', 'b'] as const) {
    describe(`against Profile ${profile}`, () => {
      let service: Running
      beforeAll(async () => {
        service = await startService({ PROFILE: profile, DATABASE_URL: 'sqlite::memory:' })
        return () => service.stop()
      })

      if (profile === 'a') {
        test('ids have their types', async () => useProfileA((await client()).profileA(service.url)))
      } else {
        test('ids have their types', async () => useProfileB((await client()).profileB(service.url)))
        test('short ids have their types', async () => {
          const { shortIds, profileB } = await client()
          await useShortIds(shortIds(service.url), profileB(service.url))
        })
      }
    })
  }
})

test('the table in the README of typed-id is true (`node clients/table.ts --write` writes it)', async () => {
  const { stated, measured, table } = await readme()
  console.log(table)
  expect(stated).toBe(measured)
}, 120_000)
