import { readFileSync } from 'node:fs'
import { REPOSITORY } from 'testkit/documents.ts'
import { emptyDatabaseForTest } from 'testkit/engines.ts'
import type { IdType } from 'typed-id'
import { expect, inject, test } from 'vitest'
import { PROFILES } from '../../src/app.ts'
import * as ids from '../../src/ids.ts'
import type { ProfileName } from '../../src/variables.ts'
import { openForTest } from '../support/http-fixture.ts'
import { connect, rowsOf } from '../support/released-database.ts'

const types: readonly IdType<string>[] = Object.values(ids)
const file = 'packages/typed-id/test/vectors/typed-id.json'
const vectors: {
  valid: { uuid: string }[]
  invalid: { texts: Record<string, string> }[]
} = JSON.parse(readFileSync(new URL(file, REPOSITORY), 'utf8'))

/**
 * Maps the error code of an UPDATE to whether the column's CHECK has accepted
 * the id. A foreign key error means yes: databases check foreign keys last.
 */
const ACCEPTED: Record<string, boolean> = {
  'no error': true,
  SQLITE_CONSTRAINT_FOREIGNKEY: true,
  SQLITE_CONSTRAINT_CHECK: false,
  23503: true,
  23514: false,
  22021: false, // NUL
}

const engine = inject('engine') === 'postgres' ? 'postgres' : 'sqlite-file'

test.each<ProfileName>(engine === 'postgres' ? ['a'] : ['a', 'b'])(
  'each id column accepts exactly the ids that the library accepts (Profile %s)',
  async (name) => {
    const url = await emptyDatabaseForTest(engine)
    const { db } = await openForTest(url, {}, name)
    await PROFILES[name].storeDemo(db)
    // Bypasses Kysely, so that only the database's constraints check ids.
    const run = await connect(url)
    async function accepts(table: string, id: string) {
      const sql = `update ${table} set id = ? where id = (select min(id) from ${table})`
      await run('begin')
      const code = await run(sql, id).then(
        () => 'no error',
        (error) => error.code,
      )
      await run('rollback')
      return ACCEPTED[code] ?? code
    }
    let columns = 0
    for (const [table, [row]] of Object.entries(await rowsOf(url))) {
      if (table.startsWith('kysely_')) continue
      expect(row, `storeDemo() must store a row in ${table}`).toBeDefined()
      if (row?.id === undefined) continue
      columns += 1
      const type = types.find((type) => type.is(row.id))
      if (type === undefined) throw new Error(`${row.id} in ${table}: no type`)
      const texts = [
        ...types.map(({ example }) => example),
        ...vectors.valid.map(({ uuid }) => type.fromUuid(uuid)),
        ...vectors.invalid
          .flatMap(({ texts }) => Object.values(texts))
          .map((text) => text.replaceAll('user', type.prefix)),
      ]
      for (const text of texts)
        expect(await accepts(table, text), `${table}: ${text}`).toBe(
          type.is(text),
        )
    }
    expect(columns).toBeGreaterThan(1)
  },
)

test('only ids of sessions and tokens do not contain the time of their creation', () => {
  const withoutTime = types.filter(
    (type) => type.timestamp(type.generate()) === undefined,
  )
  const prefixes = withoutTime.map(({ prefix }) => prefix)
  expect(prefixes).toEqual(['session', 'token'])
})
