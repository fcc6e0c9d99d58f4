import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SERVERS, type Server } from '../databases.ts'
import { TeamId, UserId } from './ids.ts'
import { createTables, STORAGES } from './tables.ts'

const INVALID = [
  ['an id of another type', TeamId.example],
  ['the short form', UserId.toShort(UserId.example)],
  ['upper case', UserId.example.toUpperCase()],
  ['an upper case prefix', UserId.example.replace('user', 'User')],
  ['a line break at the end', `${UserId.example.slice(0, -1)}\n`],
  ['a character too many', `${UserId.example}0`],
  ['a character too few', UserId.example.slice(0, -1)],
  ['an empty string', ''],
] as const

describe.each(Object.entries(SERVERS))('%s', (_, { engine, start }) => {
  let server: Server
  beforeAll(async () => {
    server = await start()
    return () => server.stop()
  })
  const insert = (id: string) => server.run(`insert into users (id, name) values ('${id}', 'Ada')`)

  describe('a text column with idCheck', () => {
    beforeAll(() => createTables(server, 'text'))
    beforeEach(() => void server.run('delete from users'))

    test.each(INVALID)('rejects %s', async (_, id) => {
      await expect(insert(id)).rejects.toThrow()
    })

    test('accepts an id, and null in a nullable column', async () => {
      await insert(UserId.example)
      expect(await server.run('select id, team_id from users')).toEqual([
        { id: UserId.example, team_id: null },
      ])
    })
  })

  test('a native column rejects more than 16 bytes, and a string that is not a UUID', async () => {
    await createTables(server, STORAGES[engine][1] ?? 'uuid')
    await expect(insert(`${UserId.toUuid(UserId.example)}0`)).rejects.toThrow()
    await expect(insert(UserId.example)).rejects.toThrow()
  })
})
