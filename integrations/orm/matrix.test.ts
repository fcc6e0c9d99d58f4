import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { compileErrors } from '../compile.ts'
import { SERVERS, type Server } from '../databases.ts'
import { versionOf } from '../report.ts'
import { CASES, type Context, fill, type Operation } from './cases.ts'
import { ALL_ORMS } from './orms.ts'
import { addCell, addVersion, printCells } from './report.ts'
import { createTables, STORAGES } from './tables.ts'

/** The packages to test in an earlier version, by the alias under which it is installed; otherwise all are tested. */
const OLDEST: Record<string, string> | undefined = process.env.OLDEST && JSON.parse(process.env.OLDEST)
const ORMS = OLDEST ? ALL_ORMS.filter((orm) => orm.package in OLDEST) : ALL_ORMS
for (const { package: name } of ORMS) addVersion(name, versionOf(OLDEST?.[name] ?? name))

describe.each(Object.entries(SERVERS))('%s', (name, { engine, start }) => {
  let server: Server
  beforeAll(async () => {
    server = await start()
    addVersion(name, server.version)
    return () => server.stop()
  })

  for (const storage of STORAGES[engine]) {
    describe.each(ORMS)(`$name, ${storage}`, ({ name: orm, load }) => {
      const context = {} as { -readonly [Key in keyof Context]: Context[Key] }
      beforeAll(async () => {
        await createTables(server, storage)
        const module = await load()
        Object.assign(context, { orm: module, server, storage, store: await module.open(server, storage) })
        return () => context.store?.close()
      })
      beforeEach(() => fill(context))

      test.each(Object.keys(CASES) as Operation[])('%s', async (operation) => {
        const run = () => CASES[operation](context)
        const reason = context.orm.cannot?.(engine, storage)[operation]
        if (reason) await expect(run(), `works now, so remove it from cannot: ${reason}`).rejects.toThrow()
        else await run()
        addCell({ orm, column: `${name}, ${storage}`, operation, reason })
      })
    })
  }
})

/** `store.ts` marks each wrong id with `@ts-expect-error`, which is an error itself when the line compiles. */
test.skipIf(OLDEST).each(ORMS)(
  '$name: an id of another type does not compile',
  async ({ name: orm, folder }) => {
    const source = readFileSync(join(import.meta.dirname, folder, 'store.ts'), 'utf8')
    expect(source.match(/@ts-expect-error/g)?.length).toBeGreaterThanOrEqual(3)
    expect(await compileErrors('.', `orm/${folder}/`)).toEqual([])
    addCell({ orm, column: 'types', operation: 'wrong type does not compile' })
  },
)

afterAll(() => printCells(OLDEST ? 'oldest' : 'matrix'))
