import { isDeepStrictEqual } from 'node:util'
import { emptyDatabaseForTest } from 'testkit/engines.ts'
import { describe, expect, inject, test } from 'vitest'
import { UserId } from '../../src/ids.ts'
import { CHANGED_COLUMNS, MIGRATIONS, releasedMigrations } from '../schemas/files.ts'
import { newUser, openForTest, serviceOn, shown } from '../support/http-fixture.ts'
import { execute, type Rows, releasedDatabase, rowsOf, schemaOf } from '../support/released-database.ts'

// A database in memory is not upgraded: it ends with its process.
const engine = inject('engine') === 'postgres' ? 'postgres' : 'sqlite'

/** Returns the columns in which an upgrade has changed or deleted a value, other than CHANGED_COLUMNS. */
function lostColumns(before: Rows, after: Rows, since: string): string[] {
  const lost = Object.entries(before).flatMap(([table, rows]) =>
    rows.flatMap((row) =>
      Object.entries(upgraded(table, row, since)).flatMap(([name, values]) => {
        // A table that was split contains the id in another column.
        const same = (after[name] ?? []).filter((one) => !row.id || Object.values(one).includes(row.id))
        const columnsLost = same.map((one) =>
          Object.keys(values).filter((column) => !isDeepStrictEqual(one[column], values[column])),
        )
        const [fewest = Object.keys(values)] = columnsLost.sort((a, b) => a.length - b.length)
        return fewest.map((column) => `${name}.${column}`)
      }),
    ),
  )
  return [...new Set(lost)]
}

/** Returns the values of a row after the migrations since one, by table. A new version may add columns. */
function upgraded(table: string, row: Record<string, unknown>, since: string) {
  const values: Record<string, Record<string, unknown>> = {}
  for (const [column, before] of Object.entries(row)) {
    let [name, value]: [string | undefined, unknown] = [`${table}.${column}`, before]
    for (const migration of MIGRATIONS.slice(MIGRATIONS.indexOf(since) + 1)) {
      const changes = CHANGED_COLUMNS[migration] ?? {}
      if (name === undefined || !(name in changes)) continue
      const change: (typeof changes)[string] = changes[name]
      if (typeof change === 'function') value = change(value)
      else name = change
    }
    const [to, end] = name?.split('.') ?? []
    // A table that was split may have no row for null.
    if (to && end && (to === table || value !== null)) values[to] = { ...values[to], [end]: value }
  }
  return values
}

describe.each(releasedMigrations())(`a database of %s on ${engine}`, (released) => {
  test('keeps every value when it is upgraded', async () => {
    const url = await releasedDatabase(released, engine)
    const before = await rowsOf(url)
    expect(Object.keys(before).length).toBeGreaterThan(5)
    for (const [table, content] of Object.entries(before)) expect(content, table).not.toEqual([])
    await openForTest(url)
    const lost = lostColumns(before, await rowsOf(url), released)
    const message = 'an upgrade loses values of these columns: if it should, add them to CHANGED_COLUMNS'
    expect(lost, `${message} in test/schemas/files.ts`).toEqual([])
  })

  test('has the schema of a new database after the upgrade', async () => {
    const url = await releasedDatabase(released, engine)
    await openForTest(url)
    const fresh = await emptyDatabaseForTest(engine === 'sqlite' ? 'sqlite-file' : engine)
    await openForTest(fresh)
    expect(await schemaOf(url), 'an upgraded database differs from a new one').toEqual(await schemaOf(fresh))
  })

  test('rejects what 0001 would store after the upgrade: an e-mail address in no normalized form', async () => {
    const url = await releasedDatabase(released, engine)
    await openForTest(url)
    const insert = `insert into users (id, email, name, password_hash) values ('${UserId.generate()}', 'someone@example.com', 'Ada', 'x')`
    await expect(execute(url, insert)).rejects.toThrow(/users_normalized_email_filled/)
  })

  test('serves its rows after the upgrade, and accepts new ones', async () => {
    const url = await releasedDatabase(released, engine)
    const before = await rowsOf(url)
    const { service } = serviceOn(await openForTest(url))
    const idOf = ({ id }: { id?: unknown }) => shown(String(id))
    for (const table of ['users', 'teams', 'roles'])
      expect(
        (await service.get(`/${table}`)).json.map(({ id }: { id: string }) => id),
        table,
      ).toEqual(before[table]?.map(idOf))
    for (const user of before.users ?? []) {
      const assigned = before.user_roles?.filter(({ user_id }) => user_id === user.id) ?? []
      const team_id = user.team_id === null ? null : shown(String(user.team_id))
      expect((await service.get(`/users/${idOf(user)}`)).json).toMatchObject({
        id: idOf(user),
        email: user.email,
        team: team_id && { id: team_id },
        roles: assigned.map(({ role_id }) => ({ id: shown(String(role_id)) })),
      })
      const email = String(user.email).toUpperCase()
      expect(await service.post('/users', newUser({ email }))).toMatchObject({ status: 400 })
      expect(await service.post('/users', newUser({ team_id }))).toMatchObject({ status: 201 })
    }
  })
})
