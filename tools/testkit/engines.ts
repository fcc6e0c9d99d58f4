import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject, onTestFinished } from 'vitest'
import type { Engine } from './engine-names.ts'
import { freshPostgresDatabase, type TestDatabase } from './postgres.ts'

export { type Engine, PERSISTENT_ENGINES } from './engine-names.ts'

export async function freshDatabase(engine: Engine): Promise<TestDatabase> {
  switch (engine) {
    case 'sqlite-memory':
      return { url: 'sqlite::memory:', async drop() {} }
    case 'sqlite-file':
      return createSqliteFile()
    case 'postgres':
      return freshPostgresDatabase(inject('postgresUrl'))
  }
}

/**
 * On PostgreSQL, copies a template that is migrated once per run. On SQLite,
 * creates an empty database, which the service migrates in milliseconds.
 */
export const serviceDatabase = (engine: Engine): Promise<TestDatabase> =>
  engine === 'postgres'
    ? freshPostgresDatabase(inject('postgresUrl'), inject('postgresTemplate'))
    : freshDatabase(engine)

export async function databaseForTest(
  engine: Engine,
  create = serviceDatabase,
): Promise<string> {
  const { url, drop } = await create(engine)
  onTestFinished(drop)
  return url
}

export const emptyDatabaseForTest = (engine: Engine) =>
  databaseForTest(engine, freshDatabase)

export const fileOf = (url: string): string => url.slice('sqlite:'.length)

const createFolder = () => mkdtemp(join(tmpdir(), 'api-test-'))

export async function folderForTest(): Promise<string> {
  const folder = await createFolder()
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function createSqliteFile(): Promise<TestDatabase> {
  const folder = await createFolder()
  return {
    url: `sqlite:${join(folder, 'users.db')}`,
    drop: () => rm(folder, { recursive: true, force: true }),
  }
}

export async function countBlocked(client: pg.Client): Promise<number | null> {
  // Inside of a transaction, PostgreSQL would repeat cached rows of
  // pg_stat_activity.
  await client.query('select pg_stat_clear_snapshot()')
  const blocked =
    "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
  return (await client.query(blocked)).rowCount
}

export async function connectForTest(url: string): Promise<pg.Client> {
  const client = new pg.Client(url)
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end().catch(() => {}))
  return client
}
