import type { Database } from '../database.ts'
import { compiler, connect, executorFor, kyselyOn } from './connection.ts'
import { createWriter } from './writer.ts'

/** Opens a database in memory. It has one connection, so reads wait for running writes to be committed. */
export async function openMemory(): Promise<Database> {
  const connection = await connect(':memory:')
  const execute = executorFor(connection)
  const writer = createWriter(connection)
  return {
    isRemote: false,
    compiler,
    write: writer.write,
    writeAll: writer.writeAll,
    exclusively: writer.exclusively,
    exclusivelyOn: (_, work) => writer.exclusively(work), // no other transaction writes at the same time
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
