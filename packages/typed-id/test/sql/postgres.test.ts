import { readFileSync } from 'node:fs'
import pg from 'pg'
import { REPOSITORY } from 'testkit/documents.ts'
import { POSTGRES_BEFORE_18 } from 'testkit/postgres.ts'
import { describe, expect, test } from 'vitest'
import { printSql, testPostgres } from './postgres-claims.ts'

const PAGE = readFileSync(new URL('docs/guide/sql.md', REPOSITORY), 'utf8')
const [, code = ''] = /^```sql\n([^`]+)^```$/m.exec(PAGE) ?? []

const statements = [...code.matchAll(/([^;]+;)(?:\s-- → (.+))?/g)].map(
  ([, text = '', value]) => ({
    text,
    value,
  }),
)

const BEFORE_18 = process.env.SERVERS_BEFORE_18 ? POSTGRES_BEFORE_18 : []
describe.each(BEFORE_18)('%s', (name) => void testPostgres(name))

describe('PostgreSQL 18', () => {
  const server = testPostgres()

  test('docs/guide/sql.md: the SQL returns the stated values on PostgreSQL', async () => {
    expect(statements.filter(({ value }) => value).length).toBeGreaterThan(1)
    const client = new pg.Client(server().url)
    await client.connect()
    await client.query('create schema page; set search_path = page')
    await client.query(await printSql('--types', 'user,team,order_line'))
    for (const { text, value } of statements) {
      const { rows } = await client.query({ text, rowMode: 'array' })
      expect(rows, text).toEqual(value === undefined ? [] : [[value]])
    }
    await client.end()
  })
})
