import { readFileSync } from 'node:fs'
import pg from 'pg'
import { REPOSITORY } from 'testkit/repository.ts'
import { describe, expect, test } from 'vitest'
import { cli } from '../cli/terminal.ts'
import { testPostgres } from './postgres-claims.ts'

const PAGE = readFileSync(new URL('docs/guide/sql.md', REPOSITORY), 'utf8')
const [, code = ''] = /^```sql\n([^`]+)^```$/m.exec(PAGE) ?? []

/** The statements of the page, some of them with the value that they return: `select 1; -- → 1`. */
const statements = [...code.matchAll(/([^;]+;)(?:\s-- → (.+))?/g)].map(([, text = '', value]) => ({
  text,
  value,
}))

describe('PostgreSQL 18', () => {
  const server = testPostgres()

  test('docs/guide/sql.md: the SQL returns the stated values on PostgreSQL', async () => {
    expect(statements.filter(({ value }) => value).length).toBeGreaterThan(1)
    const client = new pg.Client(server().connection)
    await client.connect()
    await client.query('create schema page; set search_path = page')
    await client.query((await cli(['sql', 'postgres', '--types', 'user,team'])).out)
    for (const { text, value } of statements) {
      const { rows } = await client.query({ text, rowMode: 'array' })
      expect(rows, text).toEqual(value === undefined ? [] : [[value]])
    }
    await client.end()
  })
})
