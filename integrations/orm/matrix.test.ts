import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compileErrors } from '../compile.ts'
import { SERVERS, type Server } from '../databases.ts'
import { CASES, type Context, fill, loadOrm, type Operation, ORMS } from './cases.ts'
import { createTables, STORAGES } from './tables.ts'

/** Tests all ORMs, or one of them in its oldest supported version. */
const { OLDEST } = process.env
const TESTED = Object.entries(ORMS).filter(([name]) => OLDEST === undefined || OLDEST === name)

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

describe.each(Object.entries(SERVERS))('%s', (_, { engine, start }) => {
  let server: Server
  beforeAll(async () => {
    server = await start()
    return () => server.stop()
  })

  for (const storage of STORAGES[engine]) {
    describe.each(TESTED)(`%s, ${storage}`, (name, folder) => {
      const context = {} as { -readonly [Key in keyof Context]: Context[Key] }
      beforeAll(async () => {
        await createTables(server, storage)
        const module = await loadOrm(folder)
        Object.assign(context, { orm: module, server, storage, store: await module.open(server, storage) })
        return () => context.store?.close()
      })
      beforeEach(() => fill(context))

      test.each(Object.keys(CASES) as Operation[])('%s', async (operation) => {
        const run = () => CASES[operation](context)
        const reason = context.orm.cannot?.(engine, storage)[operation]
        if (reason === undefined) return run()
        await expect(run(), `works now, so remove it from cannot: ${reason}`).rejects.toThrow()
        expect(README).toContain(`- ${name}, ${operation}: ${reason}`)
      })
    })
  }
})

/** `store.ts` marks each wrong id with `@ts-expect-error`, which is an error itself when the line compiles. */
test.skipIf(OLDEST).each(TESTED)('%s: an id of another type does not compile', async (_, folder) => {
  const source = readFileSync(join(import.meta.dirname, folder, 'store.ts'), 'utf8')
  expect(source.match(/@ts-expect-error/g)?.length).toBeGreaterThanOrEqual(3)
  expect(await compileErrors('.', `orm/${folder}/`)).toEqual([])
})
