import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'

export const ENGINES = ['sqlite-memory', 'sqlite-file', 'postgres'] as const

export type Engine = (typeof ENGINES)[number]

/** The URL of an empty database, and what removes it. */
export async function freshDatabase(engine: Engine): Promise<{ url: string; drop(): Promise<void> }> {
  switch (engine) {
    case 'sqlite-memory':
      return { url: 'sqlite::memory:', async drop() {} }
    case 'sqlite-file': {
      const folder = await mkdtemp(join(tmpdir(), 'api-test-'))
      return { url: `sqlite:${folder}/users.db`, drop: () => rm(folder, { recursive: true }) }
    }
    case 'postgres':
      return freshPostgresDatabase(inject('postgresUrl'))
  }
}

/** Creates a database of its own name on a server. */
export async function freshPostgresDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await onServer(server, `create database ${name}`)
  return { url: url.href, drop: () => onServer(server, `drop database ${name} with (force)`) }
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}
