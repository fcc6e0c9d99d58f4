import pg from 'pg'
import { freshPostgresDatabase } from 'testkit/postgres-database.ts'
import { createUuidv7, defineId } from 'typed-id'
import { firstIdAt } from 'typed-id/range'
import { expect, inject, test } from 'vitest'

/* The claim of typed-id's README on ranges of time, on PostgreSQL. The library tests it on SQLite. */

const UserId = defineId('user')
const start = Date.UTC(2024, 0, 1)
const MINUTE = 60_000

test.each(['C', 'en-x-icu'])(
  'PostgreSQL runs a query for a range of times as a range scan on the primary key, with the collation %s',
  async (collation) => {
    const database = await freshPostgresDatabase(inject('postgresUrl'))
    const client = new pg.Client(database.url)
    await client.connect()
    await client.query(`create table users (id text collate "${collation}" primary key)`)
    let now = start
    const uuid = createUuidv7({ now: () => (now += MINUTE) })
    const ids = Array.from({ length: 10_000 }, () => UserId.fromUuid(uuid()))
    await client.query('insert into users select unnest($1::text[])', [ids])
    await client.query('vacuum analyze users')

    const query = 'select id from users where id >= $1 and id < $2'
    const range = [120, 180].map((minutes) => firstIdAt(UserId, start + minutes * MINUTE))
    const { rows } = await client.query(`${query} order by id`, range)
    expect(rows.map(({ id }) => id)).toEqual(ids.slice(119, 179))

    const explained = await client.query(`explain (format json, costs off) ${query}`, range)
    expect(explained.rows[0]['QUERY PLAN'][0].Plan).toMatchObject({
      'Node Type': expect.stringMatching(/^Index (Only )?Scan$/),
      'Index Name': 'users_pkey',
      'Index Cond': expect.stringMatching(/^\(\(id >= .+\) AND \(id < .+\)\)$/),
    })
    await client.end()
    await database.drop()
  },
)
