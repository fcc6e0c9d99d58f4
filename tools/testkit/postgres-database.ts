import { randomUUID } from 'node:crypto'
import pg from 'pg'

/** A database of one test or one file. */
export interface TestDatabase {
  readonly url: string
  /** Removes the database. Close its connections first. */
  drop(): Promise<void>
}

/** Creates a database with a random name on a server, empty or as a copy of `template`. */
export async function freshPostgresDatabase(server: string, template = 'template1'): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  await onServer(server, `create database ${name} template ${template} strategy file_copy`)
  return { url: url.href, drop: () => onServer(server, `drop database if exists ${name} with (force)`) }
}

async function onServer(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server)
  await client.connect()
  await client.query(statement)
  await client.end()
}
