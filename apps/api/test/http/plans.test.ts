import { CompiledQuery } from 'kysely'
import { describe, expect, inject } from 'vitest'
import { test } from '../support/http-fixture.ts'
import { assertIndexed } from '../support/query-plans.ts'

const engine = inject('engine')
const isPostgres = engine === 'postgres'
const parameter = (n: number) => (isPostgres ? `$${n}` : '?')

/** The fixture checks the statements of all HTTP tests. These tests check that the check fails when it should. */
describe('the check of query plans', () => {
  test('accepts a row by its key, and the members of a team by the index of both columns', async ({
    database,
  }) => {
    await assertIndexed(database.db, engine, [`select "name" from "users" where "id" = ${parameter(1)}`])
    await assertIndexed(database.db, engine, [
      `select "id" from "users" where "team_id" = ${parameter(1)} and "id" > ${parameter(2)} order by "id" limit ${parameter(3)}`,
    ])
  })

  test.for([
    ['a filter without an index', `"name" = ${parameter(1)}`, isPostgres ? /Filter|Seq Scan/ : /SCAN users/],
    [
      'a filter without an index on a range of keys',
      `"id" > ${parameter(1)} and "name" = ${parameter(2)} order by "id"`,
      isPostgres ? /Filter/ : /the condition "name" = \?/,
    ],
    ['an order without an index', `"id" > ${parameter(1)} order by "name"`, /sorts all of its rows/],
  ] as const)('rejects %s, with statement and plan', async ([, condition, problem], { database }) => {
    const statement = `select "id" from "users" where ${condition}`
    const checking = assertIndexed(database.db, engine, [statement])
    await expect(checking).rejects.toThrow(problem)
    await expect(checking).rejects.toThrow(`statement: ${statement}\nplan:\n  `)
  })

  test('rejects a join that does not use the key', async ({ database }) => {
    const statement = `select "users"."id" from "users" inner join "teams" on "teams"."name" = "users"."name" where "users"."id" = ${parameter(1)}`
    await expect(assertIndexed(database.db, engine, [statement])).rejects.toThrow(/^a statement reads/)
  })
})

test('every foreign key with ON DELETE CASCADE has an index, or each deletion reads the whole table', async ({
  database,
}) => {
  const { rows } = await database.db.executeQuery(
    CompiledQuery.raw(isPostgres ? POSTGRES_CASCADES : SQLITE_CASCADES),
  )
  expect(rows).toContainEqual({ key: 'user_roles.user_id', indexed: isPostgres ? true : 1 })
  expect(rows.filter((row) => !(row as { indexed: unknown }).indexed)).toEqual([])
})

const POSTGRES_CASCADES = `
  select c.conrelid::regclass || '.' || a.attname as key,
         exists (select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum) as indexed
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confdeltype = 'c'`

const SQLITE_CASCADES = `
  select t.name || '.' || k."from" as key,
         exists (
           select 1 from pragma_index_list(t.name) l join pragma_index_info(l.name) i on i.seqno = 0
           where i.name = k."from"
         ) as indexed
  from sqlite_master t join pragma_foreign_key_list(t.name) k
  where t.type = 'table' and k.on_delete = 'CASCADE'`
