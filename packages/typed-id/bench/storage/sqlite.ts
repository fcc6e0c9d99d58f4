import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Engine, tablesOf, WAYS } from './engine.ts'

/** Opens a database in a temporary file. `check` is the CHECK of the text columns that `typed-id sql sqlite` prints. */
export function openSqlite(check: string): Engine {
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-storage-'))
  const db = new Database(join(folder, 'storage.db'))
  db.exec('pragma journal_mode = wal; pragma synchronous = off; pragma cache_size = -262144')
  for (const way of WAYS) {
    const { users, memberships } = tablesOf(way)
    const type = way.startsWith('text') ? `text not null primary key ${check}` : 'blob not null primary key'
    db.exec(`create table ${users} (id ${type}, name text not null) without rowid;
      create table ${memberships} (user_id not null, role text not null);
      create index ${memberships}_user on ${memberships} (user_id)`)
  }
  const sizeOf = (name: string) =>
    db.prepare('select sum(pgsize) from dbstat where name = ?').pluck().get(name) as number

  return {
    name: 'SQLite',
    toKey: (way, id) => (way.startsWith('text') ? id : Buffer.from(id.slice(-36).replaceAll('-', ''), 'hex')),
    async insert(way, keys) {
      const insert = db.prepare(`insert into ${tablesOf(way).users} values (?, 'Ada Lovelace')`)
      db.transaction(() => {
        for (const key of keys) insert.run(key)
      })()
    },
    async fill(way) {
      const { users, memberships } = tablesOf(way)
      db.exec(`insert into ${memberships} select id, 'admin' from ${users} order by random(); analyze`)
    },
    async measureSize(way) {
      const { users, memberships } = tablesOf(way)
      return { tables: sizeOf(users) + sizeOf(memberships), indexes: sizeOf(`${memberships}_user`) }
    },
    async lookUp(way, keys) {
      const query = db.prepare(`select name from ${tablesOf(way).users} where id = ?`)
      for (const key of keys) query.get(key)
    },
    async join(way) {
      const { users, memberships } = tablesOf(way)
      const query = `select count(name || role) from ${memberships} join ${users} on id = user_id`
      return db.prepare(query).pluck().get() as number
    },
    async readPage(way, after, length) {
      const page = `select name from ${tablesOf(way).users} where id > ? order by id limit ?`
      return db.prepare(`select count(name) from (${page})`).pluck().get(after, length) as number
    },
    readProcessorTime() {
      const { user, system } = process.cpuUsage()
      return (user + system) / 1000
    },
    async close() {
      db.close()
      rmSync(folder, { recursive: true })
    },
  }
}
