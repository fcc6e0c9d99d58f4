import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Engines whose databases outlive a process, so a new version has to upgrade them. */
export const SCHEMA_ENGINES = ['sqlite', 'postgres'] as const

export type SchemaEngine = (typeof SCHEMA_ENGINES)[number]

/** The database after a released migration, with rows in every table, as SQL. */
export const schemaFile = (migration: string, engine: SchemaEngine): URL =>
  new URL(`${migration}.${engine}.sql`, import.meta.url)

/** The checksums of the released migrations, in the format of `sha256sum`. */
export const CHECKSUMS = new URL('checksums.txt', import.meta.url)

/** Returns the line of a migration in the file of checksums. */
export function checksumLine(migration: string): string {
  const source = new URL(`../../src/profile-a/migrations/${migration}.ts`, import.meta.url)
  return `${createHash('sha256').update(readFileSync(source)).digest('hex')}  ${migration}.ts`
}
