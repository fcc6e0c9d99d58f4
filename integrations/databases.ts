import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import mysql from 'mysql2/promise'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { AS_NOBODY, startServer } from 'testkit/server.ts'

export interface Server {
  readonly engine: Engine
  /** The URL of PostgreSQL, the socket of MariaDB, or the SQLite file. */
  readonly address: string
  run(...statements: string[]): Promise<Row[]>
  stop(): Promise<void>
}

export type Engine = 'postgres' | 'sqlite' | 'mysql'

type Row = Record<string, unknown>

export const SERVERS = {
  PostgreSQL: { engine: 'postgres', start: openPostgres },
  SQLite: { engine: 'sqlite', start: openSqlite },
  MariaDB: { engine: 'mysql', start: openMariaDb },
} as const

async function openPostgres(): Promise<Server> {
  const server = await startPostgres()
  const client = new pg.Client(server.url)
  await client.connect()
  const run = oneByOne(async (sql) => (await client.query(sql)).rows)
  async function stop() {
    await client.end()
    await server.stop()
  }
  return { engine: 'postgres', address: server.url, run, stop }
}

async function openMariaDb(): Promise<Server> {
  const server = await startMariaDb()
  const account = { socketPath: server.socket, user: 'root' }
  const connection = await mysql.createConnection(account)
  const run = oneByOne(async (sql) => (await connection.query(sql))[0] as Row[])
  await run('create database matrix', 'use matrix')
  async function stop() {
    await connection.end()
    await server.stop()
  }
  return { engine: 'mysql', address: server.socket, run, stop }
}

async function startMariaDb() {
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-mariadb-'))
  const { uid, gid } = AS_NOBODY
  if (uid) chownSync(folder, uid, gid)
  const user = uid ? ['--user=nobody'] : []
  const args = ['--no-defaults', ...user, `--datadir=${join(folder, 'data')}`]
  const socket = join(folder, 'socket')
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync('mariadb-install-db', [...args, ...options], { stdio: 'ignore' })
  const server = await startServer(
    '/usr/sbin/mariadbd',
    [...args, `--socket=${socket}`, '--skip-networking'],
    'ready for connections',
  )
  return {
    socket,
    async stop() {
      await server.stop('SIGTERM')
      rmSync(folder, { recursive: true })
    },
  }
}

async function openSqlite(): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-matrix-'))
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
