import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Database, Db } from '../database.ts'
import type { Engine } from '../engine.ts'
import { backupSqlite } from './backup.ts'
import { compiler, connect, executorFor, kyselyOn } from './connection.ts'
import { createFile, createFileCheck, fileStats } from './file.ts'
import { createWriter } from './group-commit.ts'
import { shareReads } from './shared-reads.ts'

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
  async open(url) {
    const file = url.slice(SCHEME.length)
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
    ...writer.methods,
    isRemote: false,
    compiler,
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

/** Opens or creates a SQLite file. Reads use a second connection, so that they see no uncommitted write. */
export async function openFile(file: string): Promise<Database> {
  createFile(file)
  const writeConnection = await connect(file)
  const readConnection = await connect(file)
  const sharedReads = shareReads(readConnection)
  const assertDurable = createFileCheck(file)
  const target = realpathSync(file)
  // Ends the shared reads before each commit, because the next read must see the commit.
  const writer = createWriter(writeConnection, { onBegin: assertDurable, onCommit: sharedReads.end })
  const executeRead = executorFor(readConnection)
  const reader: Db = {
    compiler,
    execute(statement, values) {
      sharedReads.begin()
      return executeRead(statement, values)
    },
  }
  return {
    ...reader,
    ...writer.methods,
    isRemote: false,
    assertDurable,
    async assertNoOtherVersion() {}, // a file has no list of its processes; the new schema rejects rows of old versions
    async assertPrivileges() {}, // SQLite has no privileges per table, and the file was checked above
    // The statements of `work` share a transaction, which run in one turn of the event loop.
    read: async (work) => work(reader),
    async readSnapshot(work) {
      const snapshot = kyselyOn(await connect(file))
      try {
        return await snapshot.transaction().execute(work)
      } finally {
        await snapshot.destroy()
      }
    },
    stats: () => ({ commits: writer.stats(), files: () => fileStats(target) }),
    async close() {
      await writer.idle()
      sharedReads.end()
      readConnection.close()
      writeConnection.close()
    },
  }
}
