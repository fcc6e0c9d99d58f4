import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import './engine-names.ts'
import { migrate } from './process.ts'

/** Vitest's global setup of projects that copy a migrated SQLite file. */
export default async function setup(project: TestProject) {
  const folder = await mkdtemp(join(tmpdir(), 'api-sqlite-'))
  const file = join(folder, 'template.db')
  await migrate(`sqlite:${file}`)
  project.provide('sqliteTemplate', file)
  return () => rm(folder, { recursive: true })
}
