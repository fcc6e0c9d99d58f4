import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Database } from '../database.ts'
import type { Engine } from '../engine.ts'
import { backupSqlite } from './backup.ts'
import { compiler, connect, executorFor, kyselyOn } from './connection.ts'
import { openFile } from './open-file.ts'
import { createWriter } from './writer.ts'

const SCHEME = 'sqlite:'
const MEMORY = ':memory:'
/**
 * Matches what may not become a file name: SQLite's own URL forms, such as `:memory:?cache=shared`, folders, a `~` that no
 * shell has replaced, and names of parts of a database: SQLite deletes `users.db-wal` when it creates `users.db`.
 */
const NOT_A_FILE = /^file:|^[~\s]|\?|\/$|memory:$|:memory$|-(?:wal|shm|journal)$/i

export const sqlite: Engine = {
  urlForms: `${SCHEME}<file>, ${SCHEME}${MEMORY}`,
  parseUrl(url, root) {
    const file = url.slice(SCHEME.length)
    if (url === SCHEME + MEMORY) return url
    if (!url.startsWith(SCHEME) || file === '' || NOT_A_FILE.test(file)) return undefined
    return SCHEME + resolve(root, file)
  },
  singleWorkerReason: 'SQLite has one writer at a time, so several processes are slower than one',
  async open(url, { mustExist = false }) {
    const file = url.slice(SCHEME.length)
    if (mustExist && !existsSync(file)) throw new Error('the file does not exist')
    return file === MEMORY ? openMemory() : openFile(file)
  },
  backup: (url, file, options) => backupSqlite(url.slice(SCHEME.length), file, options),
}

/** Opens a database in memory. It has one connection, so reads wait until running writes are committed. */
async function openMemory(): Promise<Database> {
  const connection = await connect(':memory:')
  const execute = executorFor(connection)
  const writer = createWriter(connection)
  return {
    isRemote: false,
    compiler,
    write: writer.write,
    writeAll: writer.writeAll,
    exclusively: writer.exclusively,
    exclusivelyOn: (_, work) => writer.exclusively(work), // `exclusively` already excludes other writers
    assertDurable() {},
    async assertNoOtherVersion() {},
    async assertPrivileges() {},
    async execute(statement, values) {
      await writer.idle()
      return execute(statement, values)
    },
    async read(work) {
      await writer.idle()
      return work({ compiler, execute })
    },
    readSnapshot: (work) => kyselyOn(connection).transaction().execute(work),
    stats: () => ({ commits: writer.stats() }),
    async close() {
      await writer.idle()
      connection.close()
    },
  }
}
