/*
 * Prints what the ways to store ids cost on PostgreSQL 18 and SQLite: `pnpm --filter typed-id run bench:storage`
 *
 * `--rows N` sets the number of rows, 1,000,000 by default. `--write` also writes the table into the page on storage. Times are
 * processor times of the process that executes the query; it needs Linux.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import Database from 'better-sqlite3'
import pg from 'pg'
import { startPostgres } from 'testkit/sockets/start-postgres.ts'
import { formatTable } from 'testkit/tables.ts'
import { postgres } from '../src/cli/sql/postgres.ts'
import { sqlite } from '../src/cli/sql/sqlite.ts'
import { createUuidv7, defineId, uuidv4 } from '../src/index.ts'
import { dateAndMachine, publish } from './documents.ts'
import { createProcessorClock, median } from './harness.ts'

const [BATCH, ROUNDS, LOOKUPS] = [10_000, 7, 2000]
const WAYS = ['text, version 7', 'native, version 7', 'text, version 4'] as const
type Way = (typeof WAYS)[number]

/** The value of an id in a column: text, or the bytes on SQLite. */
type Key = string | Buffer

/** A database with a table `users` and a table `memberships`, which refers to it, for each way. */
interface Engine {
  readonly name: string
  /** Returns the value to store for a standard id. */
  toKey(way: Way, id: string): Key
  insert(way: Way, keys: readonly Key[]): Promise<unknown>
  /** Runs a query with at most one parameter, $1, and returns the first column of the first row. */
  query(sql: string, values?: readonly unknown[]): Promise<unknown>
  /** Updates the statistics of a table. */
  analyze(table: string): Promise<unknown>
  /** Returns the bytes of the tables, and of their indexes. */
  measureSize(tables: readonly string[]): Promise<{ tables: number; indexes: number }>
  /** Returns the processor time that the engine has used, in milliseconds. */
  readClock(): number
  close(): Promise<void>
}

const isText = (way: Way) => way.startsWith('text')
const tablesOf = (way: Way) =>
  ['users', 'memberships'].map((name) => `${name}_${way.replace(/[^a-z0-9]+/g, '_')}`) as [string, string]

/** Starts PostgreSQL 18. The text columns have the domain that `typed-id sql postgres` prints. */
async function openPostgres(file: string): Promise<Engine> {
  // One process executes each query, so its processor time is the time of the query.
  const flags = ['fsync=off', 'autovacuum=off', 'jit=off', 'max_parallel_workers_per_gather=0']
  const server = await startPostgres(undefined, {
    isDurable: true,
    flags: [...flags, 'shared_buffers=256MB'].flatMap((flag) => ['-c', flag]),
  })
  const client = new pg.Client(server.connection)
  await client.connect()
  await client.query(file)
  for (const way of WAYS) {
    const [users, memberships] = tablesOf(way)
    const type = isText(way) ? 'user_id' : 'uuid'
    await client.query(`create table ${users} (id ${type} primary key, name text not null);
      create table ${memberships} (user_id ${type} not null, role text not null);
      create index on ${memberships} (user_id)`)
  }
  const query: Engine['query'] = async (text, values = []) => {
    // Lookups are prepared. PostgreSQL shortens names to 63 bytes.
    const name = text.length < 64 ? { name: text } : {}
    const { rows } = await client.query({ ...name, text, values: [...values], rowMode: 'array' })
    return rows[0]?.[0]
  }
  return {
    name: 'PostgreSQL 18',
    toKey: (way, id) => (isText(way) ? id : id.slice(-36)),
    insert: (way, keys) =>
      query(
        `insert into ${tablesOf(way)[0]} select id, 'Ada Lovelace' from unnest($1::${isText(way) ? 'text' : 'uuid'}[]) id`,
        [keys],
      ),
    query,
    analyze: (table) => client.query(`vacuum (freeze, analyze) ${table}`),
    async measureSize(tables) {
      const sum = async (size: string) =>
        Number(await query(`select sum(${size}(t::regclass)) from unnest($1::text[]) t`, [tables]))
      return { tables: await sum('pg_table_size'), indexes: await sum('pg_indexes_size') }
    },
    readClock: createProcessorClock(Number(await query('select pg_backend_pid()'))),
    async close() {
      await client.end()
      await server.stop()
    },
  }
}

/** Opens a database in a temporary file. `check` is the CHECK of the text columns that `typed-id sql sqlite` prints. */
async function openSqlite(check: string): Promise<Engine> {
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-storage-'))
  const db = new Database(join(folder, 'storage.db'))
  db.exec('pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -262144')
  for (const way of WAYS) {
    const [users, memberships] = tablesOf(way)
    const type = isText(way) ? `text not null primary key ${check}` : 'blob not null primary key'
    db.exec(`create table ${users} (id ${type}, name text not null) without rowid;
      create table ${memberships} (user_id not null, role text not null);
      create index ${memberships}_index on ${memberships} (user_id)`)
  }
  const statements = new Map<string, Database.Statement<unknown[], unknown>>()
  const query: Engine['query'] = async (sql, values = []) => {
    const statement = statements.get(sql) ?? db.prepare(sql.replace('$1', '?'))
    statements.set(sql, statement)
    return statement.reader ? statement.pluck().get(...values) : statement.run(...values)
  }
  const sizeOf = (name: string) =>
    Number(db.prepare('select sum(pgsize) from dbstat where name = ?').pluck().get(name))
  return {
    name: 'SQLite',
    toKey: (way, id) => (isText(way) ? id : Buffer.from(id.slice(-36).replaceAll('-', ''), 'hex')),
    async insert(way, keys) {
      const insert = db.prepare(`insert into ${tablesOf(way)[0]} values (?, 'Ada Lovelace')`)
      db.transaction(() => {
        for (const key of keys) insert.run(key)
      })()
    },
    query,
    analyze: async (table) => db.exec(`analyze ${table}`),
    async measureSize([users = '', memberships = '']) {
      return { tables: sizeOf(users) + sizeOf(memberships), indexes: sizeOf(`${memberships}_index`) }
    },
    readClock: () => process.cpuUsage().user / 1000 + process.cpuUsage().system / 1000,
    async close() {
      db.close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** The latest millisecond of a version 7 id: one id per millisecond, as in a table that has grown slowly. */
let now = Date.UTC(2024, 0, 1)
const VERSION_7 = defineId('user', { uuid: createUuidv7({ now: () => now++ }) })
const VERSION_4 = defineId('user', { uuid: uuidv4 })

/**
 * Fills the tables of all ways in turn and measures them in turn, so a slower phase of the machine affects all ways. Returns
 * for each way the sizes in bytes, the inserts per second, and microseconds per lookup, per joined row and per next row.
 */
async function measure(engine: Engine, rows: number) {
  const ways = WAYS.map((way) => {
    const [users, memberships] = tablesOf(way)
    return { way, users, memberships, keys: [] as Key[], insert: 0, lookup: [0], join: [0], page: [0] }
  })
  const time = async (action: () => Promise<unknown>) => {
    const start = engine.readClock()
    await action()
    return engine.readClock() - start
  }
  for (let left = rows; left > 0; left -= BATCH)
    for (const one of ways) {
      const type = one.way.endsWith('4') ? VERSION_4 : VERSION_7
      const ids = type.generateMany(Math.min(left, BATCH))
      const batch = ids.map((id) => engine.toKey(one.way, id))
      one.keys.push(...batch)
      one.insert += await time(() => engine.insert(one.way, batch))
    }
  for (const { users, memberships } of ways) {
    await engine.query(`insert into ${memberships} select id, 'admin' from ${users} order by random()`)
    for (const table of [users, memberships]) await engine.analyze(table)
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const { users, memberships, keys, lookup, join, page } of ways) {
      const chosen = Array.from({ length: LOOKUPS }, () => keys[Math.floor(Math.random() * rows)])
      const lookUp = `select name from ${users} where id = $1`
      lookup[round] = await time(async () => {
        for (const key of chosen) await engine.query(lookUp, [key])
      })
      const joined = `select count(name || role) from ${memberships} join ${users} on id = user_id`
      join[round] = await time(() => engine.query(joined))
      const next = `select count(name) from (select name from ${users} where id > $1 order by id limit ${BATCH}) page`
      let read = 0
      const taken = await time(async () => {
        for (const key of chosen.slice(0, 20)) read += Number(await engine.query(next, [key]))
      })
      page[round] = taken / read
    }
  const results = []
  for (const { way, users, memberships, insert, lookup, join, page } of ways)
    results.push({
      ...{ engine: engine.name, way, ...(await engine.measureSize([users, memberships])) },
      insertRate: (rows / insert) * 1000,
      lookup: (median(lookup) * 1000) / LOOKUPS,
      join: (median(join) * 1000) / rows,
      page: median(page) * 1000,
    })
  return results
}

const { values } = parseArgs({
  options: { rows: { type: 'string', default: '1000000' }, write: { type: 'boolean' } },
})
const rows = Number(values.rows)
const types = [defineId('user')]
const [check] = /check \([\s\S]+?\n {2}\)/.exec(sqlite.create(types)) as RegExpExecArray

const results = []
for (const open of [() => openPostgres(postgres.create(types)), () => openSqlite(check)]) {
  const engine = await open()
  results.push(...(await measure(engine, rows)))
  await engine.close()
}

const megabytes = (bytes: number) => (bytes / 1e6).toFixed(bytes < 1e7 ? 1 : 0)
const table = formatTable({
  columns: [
    ...['engine', 'stored as', 'tables, MB', 'indexes, MB', 'inserts per s', 'lookup, µs', 'join, µs a row'],
    'next rows, µs a row',
  ],
  rows: results.map(({ engine, way, tables, indexes, insertRate, lookup, join, page }) => [
    ...[
      engine,
      way.replace('native', engine === 'SQLite' ? 'BLOB' : 'uuid'),
      megabytes(tables),
      megabytes(indexes),
    ],
    ...[Math.round(insertRate).toLocaleString('en'), lookup.toFixed(1), join.toFixed(2), page.toFixed(2)],
  ]),
})
const text = [
  table,
  '',
  `A table of ${rows.toLocaleString('en')} users and one with as many references to them, measured with PostgreSQL 18 and`,
  `better-sqlite3 on ${dateAndMachine()}. Times are processor times, medians of seven interleaved`,
  'rounds. "Next rows" are the next 10,000 rows in the order of the keys. `pnpm --filter typed-id run bench:storage --write`',
  'writes this table.',
].join('\n')
publish('guide/storage.md', 'storage', text, values.write)
