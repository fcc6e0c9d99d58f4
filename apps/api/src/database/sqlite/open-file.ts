import { realpathSync } from 'node:fs'
import type { Database, Db } from '../database.ts'
import { compiler, connect, executorFor, kyselyOn } from './connection.ts'
import { createFile, createFileCheck, fileStats } from './file.ts'
import { shareReads } from './shared-reads.ts'
import { createWriter } from './writer.ts'

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
    isRemote: false,
    write: writer.write,
    writeAll: writer.writeAll,
    exclusively: writer.exclusively,
    exclusivelyOn: (_, work) => writer.exclusively(work), // `exclusively` already excludes other writers
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
