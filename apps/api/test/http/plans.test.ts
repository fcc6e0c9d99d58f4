import { CompiledQuery } from 'kysely'
import { expect, inject } from 'vitest'
import { test } from '../support/http-fixture.ts'

const isPostgres = inject('engine') === 'postgres'

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
