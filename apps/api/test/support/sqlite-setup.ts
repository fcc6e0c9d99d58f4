import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { PROFILES } from '../../src/config/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from './database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** A SQLite file with the schema of Profile A and no rows, to be copied. */
    sqliteTemplate: string
  }
}

/** Vitest's global setup of projects that copy a migrated SQLite file. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'api-sqlite-'))
  const file = join(folder, 'template.db')
  const db = await openDatabase(databaseAt(`sqlite:${file}`), PROFILES.a.migrations)
  await db.close()
  project.provide('sqliteTemplate', file)
  return () => rm(folder, { recursive: true })
}
