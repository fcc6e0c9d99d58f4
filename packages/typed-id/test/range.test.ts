import Database from 'better-sqlite3'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstIdAt, lastIdAt } from '../src/functions/range.ts'
import { createUuidv7, defineId, uuidv7At } from '../src/index.ts'

const UserId = defineId('user')
const times = fc.nat({ max: 2 ** 48 - 1 })

test('the bounds contain the millisecond and nothing else', () => {
  fc.assert(
    fc.property(times, times, (ms, other) => {
      const [first, last] = [firstIdAt(UserId, ms), lastIdAt(UserId, new Date(ms))]
      expect([first, last].map((id) => UserId.timestamp(id)?.getTime())).toEqual([ms, ms])
      for (const time of [ms, other]) {
        const id = UserId.fromUuid(uuidv7At(time))
        expect([first <= id, id <= last]).toEqual([ms <= time, time <= ms])
      }
    }),
  )
})

test.each([-1, Number.NaN, 2 ** 48])('rejects the time %s', (time) => {
  expect(() => firstIdAt(UserId, time)).toThrow(expect.objectContaining({ code: 'invalid_time' }))
  expect(() => lastIdAt(UserId, time)).toThrow(expect.objectContaining({ code: 'invalid_time' }))
})

test('SQLite runs a query for a range of times with a range scan on the primary key', () => {
  const db = new Database(':memory:')
  db.exec('create table users (id text primary key) without rowid')
  let now = Date.UTC(2024, 0, 1)
  const uuid = createUuidv7({ now: () => (now += 60_000) })
  const insert = db.prepare('insert into users values (?)')
  for (let i = 0; i < 1000; i++) insert.run(UserId.fromUuid(uuid()))
  const query = 'select id from users where id >= ? and id < ?'
  const range = [Date.UTC(2024, 0, 1, 2), Date.UTC(2024, 0, 1, 3)].map((time) => firstIdAt(UserId, time))
  expect(db.prepare(query).all(...range)).toHaveLength(60)
  expect(db.prepare(`explain query plan ${query}`).all(...range)).toMatchObject([
    { detail: 'SEARCH users USING PRIMARY KEY (id>? AND id<?)' },
  ])
})
