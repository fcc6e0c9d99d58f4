import { readFileSync } from 'node:fs'
import pg from 'pg'
import { REPOSITORY } from 'testkit/documents.ts'
import { POSTGRES_BEFORE_18 } from 'testkit/postgres.ts'
import { describe, expect, test } from 'vitest'
import { printSql, testPostgres } from './postgres-claims.ts'

/** Returns statements, some of which have a result: `select 1; -- → 1`. */
function statementsOf(page: string) {
  const text = readFileSync(new URL(`docs/${page}.md`, REPOSITORY), 'utf8')
  const [, code = ''] = /^```sql\n([^`]+)^```$/m.exec(text) ?? []
  return [...code.matchAll(/([^;]+;)(?:\s-- → (.+))?/g)]
}

const BEFORE_18 = process.env.SERVERS_BEFORE_18 ? POSTGRES_BEFORE_18 : []
describe.each(BEFORE_18)('%s', (name) => void testPostgres(name))

describe('PostgreSQL 18', () => {
  const server = testPostgres()

  test.each(['guide/sql', 'guide/migrate', 'guide/tables-in-use', 'recipes'])(
    'docs/%s.md: the SQL returns the stated values',
    async (page) => {
      const client = new pg.Client(server().url)
      await client.connect()
      await client.query(`create schema "${page}"; set search_path = "${page}"`)
      await client.query(await printSql('--types', 'user,team,order_line'))
      const stated = statementsOf(page)
      expect(stated.some(([, , value]) => value)).toBe(true)
      for (const [, text = '', value = ''] of stated) {
        const { rows } = await client.query({ text, rowMode: 'array' })
        expect(rows.join(), text).toBe(value)
      }
      await client.end()
    },
  )
})
