import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SERVERS, type Server } from '../databases.ts'
import { CASES, type Context, fill, loadOrm, type Operation, ORMS } from './cases.ts'
import { TeamId, UserId } from './ids.ts'
import { createTables, STORAGES } from './tables.ts'

/** If set, only this ORM is tested, in its oldest supported version. */
const { OLDEST } = process.env
const TESTED = Object.entries(ORMS).filter(([name]) => OLDEST === undefined || OLDEST === name)

const README = readFileSync(join(import.meta.dirname, '../README.md'), 'utf8')

const INVALID = [
  ['an id of another type', TeamId.example],
  ['the short form', UserId.toShort(UserId.example)],
  ['upper case', UserId.example.toUpperCase()],
  ['an upper case prefix', UserId.example.replace('user', 'User')],
  ['a line break at the end', `${UserId.example.slice(0, -1)}\n`],
  ['a character too many', `${UserId.example}0`],
  ['a character too few', UserId.example.slice(0, -1)],
  ['an empty text', ''],
] as const

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

  describe.skipIf(OLDEST)('without an ORM', () => {
    const insert = (id: string) => server.run(`insert into users (id, name) values (${id}, 'Ada')`)
    const count = async () => Number((await server.run('select count(*) as n from users'))[0]?.n)

    describe('a text column with idCheck', () => {
      beforeAll(() => createTables(server, 'text'))

      test.each(INVALID)('rejects %s', async (_, text) => {
        await expect(insert(`'${text}'`)).rejects.toThrow()
        expect(await count()).toBe(0)
      })

      test('accepts an id, and null in a nullable column', async () => {
        await insert(`'${UserId.example}'`)
        expect(await server.run('select id, team_id from users')).toEqual([
          { id: UserId.example, team_id: null },
        ])
      })
    })

    test('a native column rejects more than 16 bytes, and a text that is not a UUID', async () => {
      await createTables(server, STORAGES[engine][1] ?? 'uuid')
      await expect(insert(`'${UserId.toUuid(UserId.example)}0'`)).rejects.toThrow()
      await expect(insert(`'${UserId.example}'`)).rejects.toThrow()
      expect(await count()).toBe(0)
    })
  })
})
