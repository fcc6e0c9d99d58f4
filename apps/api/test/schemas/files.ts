import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { PROFILES } from '../../src/composition/variables.ts'

/** Engines whose databases outlive a process, so a new version has to upgrade them. */
export const SCHEMA_ENGINES = ['sqlite', 'postgres'] as const

export type SchemaEngine = (typeof SCHEMA_ENGINES)[number]

/** The migrations of Profile A, in their order. Profile B keeps its records in memory. */
export const MIGRATIONS = Object.keys(PROFILES.a.migrations)

/**
 * What each migration does to columns with values: the upgrade must keep every other value of every row. Renames or moves a
 * column, converts its values, or drops it.
 *
 * @example
 * {
 *   '0003-full-name': { 'users.name': 'users.full_name' },
 *   '0004-credentials': { 'users.password_hash': 'credentials.password_hash' },
 *   '0005-sizes': { 'teams.size': (size) => Number(size) },
 *   '0006-no-hints': { 'users.hint': undefined },
 * }
 */
export const CHANGED_COLUMNS: Readonly<
  Record<string, Readonly<Record<string, string | ((value: unknown) => unknown) | undefined>>>
> = {}

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

/** Returns the names in the file of checksums: the migrations that are released. */
export const releasedMigrations = (): string[] =>
  [...readFileSync(CHECKSUMS, 'utf8').matchAll(/^\w+ {2}(.*)\.ts$/gm)].map(([, name]) => name as string)

/** Returns what contradicts the rules for released migrations, each with what to do. Without a problem, nothing. */
export function releaseProblems(): string[] {
  const released = releasedMigrations()
  const lines = readFileSync(CHECKSUMS, 'utf8').split('\n')
  const unreleased = MIGRATIONS.filter((name) => !released.includes(name))
  const missing = released.flatMap((name) =>
    SCHEMA_ENGINES.map((engine) => schemaFile(name, engine)).filter((file) => !existsSync(file)),
  )
  return [
    ...released
      .filter((name) => !MIGRATIONS.includes(name))
      .map((name) => `${name} is released, but profile-a/index.ts does not list it: restore it`),
    ...released
      .filter((name) => MIGRATIONS.includes(name) && !lines.includes(checksumLine(name)))
      .map(
        (name) =>
          `${name}.ts was changed after its release. Databases that have executed it would not get the change: restore the file and write a new migration`,
      ),
    ...(unreleased.length > 1
      ? [
          `${unreleased[0]} was not released before ${unreleased[1]} was added: run "pnpm --filter api run schema" at the commit before ${unreleased[1]}, and commit what it writes`,
        ]
      : []),
    ...missing.map((file) => `${file.pathname} is missing: restore it`),
  ]
}
