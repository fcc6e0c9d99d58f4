import { rmSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Server } from './engines.ts'
import { temporaryFolder } from './processes.ts'

/** Opens a new SQLite file in a temporary folder. */
export async function openSqlite(): Promise<Server> {
  const folder = temporaryFolder()
  const socket = join(folder, 'matrix.db')
  const db = new Sqlite(socket)
  db.pragma('journal_mode = wal')
  return {
    engine: 'sqlite',
    version: String(db.prepare('select sqlite_version()').pluck().get()),
    socket,
    async run(...statements) {
      let rows: Record<string, unknown>[] = []
      for (const text of statements) {
        const statement = db.prepare(text)
        if (statement.reader) rows = statement.all() as Record<string, unknown>[]
        else statement.run()
      }
      return rows
    },
    async stop() {
      db.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
