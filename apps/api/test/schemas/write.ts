/**
 * `pnpm --filter api run schema`: releases the last migration. Writes the database after it for each engine, with rows in
 * every table, and adds its checksum. From then on, tests upgrade these databases, and the migration must not change.
 * Run again, it changes nothing.
 */
import { existsSync, writeFileSync } from 'node:fs'
import { dumpOf } from './dump.ts'
import {
  CHECKSUMS,
  checksumLine,
  MIGRATIONS,
  releasedMigrations,
  releaseProblems,
  SCHEMA_ENGINES,
  schemaFile,
} from './files.ts'

const last = MIGRATIONS.at(-1) ?? ''
const problems = releaseProblems()
if (problems.length > 0) {
  for (const problem of problems) console.error(problem)
  process.exitCode = 1
} else if (releasedMigrations().includes(last)) {
  console.log(`${last} is released already`)
} else {
  const dumps = await Promise.all(
    SCHEMA_ENGINES.map(async (engine) => [engine, await dumpOf(engine)] as const),
  )
  for (const [engine, dump] of dumps) {
    const file = schemaFile(last, engine)
    if (existsSync(file)) console.log(`replaced ${file.pathname}: ${last} was not in checksums.txt`)
    writeFileSync(file, dump)
  }
  writeFileSync(CHECKSUMS, [...MIGRATIONS.map(checksumLine), ''].join('\n'))
  console.log(`released ${last}`)
}
