/** Writes numbers into the table `t` of a SQLite file, many at once, and tells each that was answered. */
import { openSqlite } from '../../src/database/sqlite/open.ts'

const db = await openSqlite(process.argv[2] ?? '')
for (let n = 0; ; n += 20) {
  const numbers = Array.from({ length: 20 }, (_, k) => n + k)
  await Promise.all(
    numbers.map(async (number) => {
      await db.write((tx) => tx.execute({ sql: 'insert into t values (?)', name: '' }, [number]))
      process.send?.(number)
    }),
  )
}
