import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { startMariaDb } from './mariadb.ts'

export interface Server {
  readonly engine: Engine
  /**
   * Where drivers connect: the URL of PostgreSQL, the socket of MariaDB, or the
   * SQLite file.
   */
  readonly address: string
  /**
   * Runs statements. Returns the rows of the last statement, as the driver
   * returns them.
   */
  run(...statements: string[]): Promise<Row[]>
  stop(): Promise<void>
}

export type Engine = 'postgres' | 'sqlite' | 'mysql'

type Row = Record<string, unknown>

export const SERVERS = {
  PostgreSQL: { engine: 'postgres', start: () => openPostgres() },
  SQLite: { engine: 'sqlite', start: () => openSqlite() },
  MariaDB: { engine: 'mysql', start: () => openMariaDb() },
} as const satisfies Record<
  string,
  { engine: Engine; start(): Promise<Server> }
>

async function openPostgres(): Promise<Server> {
  const server = await startPostgres()
  const client = new pg.Client(server.url)
  await client.connect()
  const run = oneByOne(
    async (statement) => (await client.query(statement)).rows,
  )
  async function stop() {
    await client.end()
    await server.stop()
  }
  return { engine: 'postgres', address: server.url, run, stop }
}

async function openMariaDb(): Promise<Server> {
  const server = await startMariaDb()
  const connection = await mysql.createConnection({
    socketPath: server.socket,
    user: 'root',
  })
  const run = oneByOne(
    async (statement) => (await connection.query(statement))[0] as Row[],
  )
  await run('create database matrix', 'use matrix')
  async function stop() {
    await connection.end()
    await server.stop()
  }
  return { engine: 'mysql', address: server.socket, run, stop }
}

async function openSqlite(): Promise<Server> {
  const folder = await mkdtemp(join(tmpdir(), 'typed-id-matrix-'))
  const address = join(folder, 'matrix.db')
  const db = new Sqlite(address)
  db.pragma('journal_mode = wal')
  const run = oneByOne(async (text) => {
    const statement = db.prepare(text)
    if (statement.reader) return statement.all() as Row[]
    statement.run()
    return []
  })
  async function stop() {
    db.close()
    rmSync(folder, { recursive: true, force: true })
  }
  return { engine: 'sqlite', address, run, stop }
}

function oneByOne(
  runOne: (statement: string) => Promise<Row[]>,
): Server['run'] {
  return async (...statements) => {
    let rows: Row[] = []
    for (const statement of statements) rows = await runOne(statement)
    return rows
  }
}
