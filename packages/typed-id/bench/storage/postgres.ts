import pg from 'pg'
import { startPostgres } from 'testkit/sockets/start-postgres.ts'
import { createProcessorClock } from '../processor-clock.ts'
import { type Engine, tablesOf, WAYS } from './engine.ts'

// One process executes each query, so its processor time is the time of the query.
const FLAGS = [
  'fsync=off',
  'autovacuum=off',
  'jit=off',
  'max_parallel_workers_per_gather=0',
  'shared_buffers=256MB',
]

/** Starts PostgreSQL 18. The text columns have the domain that `typed-id sql postgres` prints. */
export async function openPostgres(file: string): Promise<Engine> {
  const server = await startPostgres(
    undefined,
    FLAGS.flatMap((flag) => ['-c', flag]),
  )
  const client = new pg.Client(server.connection)
  await client.connect()
  const select = async (text: string, values: unknown[] = []) =>
    (await client.query({ text, values, rowMode: 'array' })).rows
  await client.query(file)
  for (const way of WAYS) {
    const type = way.startsWith('text') ? 'user_id' : 'uuid'
    const { users, memberships } = tablesOf(way)
    await client.query(`create table ${users} (id ${type} primary key, name text not null);
      create table ${memberships} (user_id ${type} not null, role text not null);
      create index on ${memberships} (user_id)`)
  }
  const [[pid]] = (await select('select pg_backend_pid()')) as [[number]]

  return {
    name: 'PostgreSQL 18',
    toKey: (way, id) => (way.startsWith('text') ? id : id.slice(-36)),
    async insert(way, keys) {
      const array = way.startsWith('text') ? 'text[]' : 'uuid[]'
      await select(
        `insert into ${tablesOf(way).users} select id, 'Ada Lovelace' from unnest($1::${array}) id`,
        [keys],
      )
    },
    async fill(way) {
      const { users, memberships } = tablesOf(way)
      await select(`insert into ${memberships} select id, 'admin' from ${users} order by random()`)
      for (const table of [users, memberships]) await client.query(`vacuum (freeze, analyze) ${table}`)
    },
    async measureSize(way) {
      const names = Object.values(tablesOf(way))
      const [[tables, indexes]] = (await select(
        'select sum(pg_table_size(t::regclass)), sum(pg_indexes_size(t::regclass)) from unnest($1::text[]) t',
        [names],
      )) as [[string, string]]
      return { tables: Number(tables), indexes: Number(indexes) }
    },
    async lookUp(way, keys) {
      const { users } = tablesOf(way)
      for (const key of keys)
        await client.query({
          name: `look-up-${users}`,
          text: `select name from ${users} where id = $1`,
          values: [key],
        })
    },
    async join(way) {
      const { users, memberships } = tablesOf(way)
      const [[count]] = (await select(
        `select count(name || role) from ${memberships} join ${users} on id = user_id`,
      )) as [[string]]
      return Number(count)
    },
    async readPage(way, after, length) {
      const [[count]] = (await select(
        `select count(name) from (select name from ${tablesOf(way).users} where id > $1 order by id limit $2) page`,
        [after, length],
      )) as [[string]]
      return Number(count)
    },
    readProcessorTime: createProcessorClock(pid),
    async close() {
      await client.end()
      await server.stop()
    },
  }
}
