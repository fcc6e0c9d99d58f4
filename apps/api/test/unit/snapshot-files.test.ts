import { readdirSync, readlinkSync } from 'node:fs'
import { fileOf, freshDatabase } from 'testkit/engines.ts'
import { expect, onTestFinished, test } from 'vitest'
import { openFile } from '../../src/database/sqlite/open-file.ts'

const FOLDER = '/proc/self/fd'

/** Counts the open descriptors of a file and its `-wal` and `-shm` files. */
const countOpen = (file: string) =>
  readdirSync(FOLDER).filter((fd) => {
    try {
      return readlinkSync(`${FOLDER}/${fd}`).startsWith(file)
    } catch {
      return false // the descriptor of readdirSync itself
    }
  }).length

test.runIf(process.platform === 'linux')(
  'a snapshot of a SQLite file closes its files, also when it fails',
  async () => {
    const { url, drop } = await freshDatabase('sqlite-file')
    const db = await openFile(fileOf(url))
    onTestFinished(() => db.close().then(drop))
    // Without the table of migrations, the file would be that of another program.
    for (const name of ['kysely_migration', 't'])
      await db.exclusively((tx) => tx.schema.createTable(name).addColumn('n', 'integer').execute())
    const read = () => db.readSnapshot((tx) => tx.selectFrom('t').selectAll().execute())
    await read() // while the database is open, SQLite keeps one descriptor for the next connection
    const before = countOpen(fileOf(url))
    expect(before).toBeGreaterThan(0)
    for (let n = 0; n < 5; n += 1) await read()
    const failing = db.readSnapshot((tx) => tx.selectFrom('missing').selectAll().execute())
    await expect(failing).rejects.toThrow('no such table')
    expect(countOpen(fileOf(url))).toBe(before)
  },
)
