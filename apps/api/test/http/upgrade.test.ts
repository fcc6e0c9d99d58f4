import { emptyDatabaseForTest } from 'testkit/engines.ts'
import { describe, expect, inject, test } from 'vitest'
import { UserId } from '../../src/ids.ts'
import { CHANGED_ROWS, MIGRATIONS, releasedMigrations } from '../schemas/files.ts'
import { newUser, openForTest, serviceOn, shown } from '../support/http-fixture.ts'
import { execute, type Rows, releasedDatabase, rowsOf, schemaOf } from '../support/released-database.ts'

// A database in memory is not upgraded: it ends with its process.
const engine = inject('engine') === 'postgres' ? 'postgres' : 'sqlite'

/** Returns what the rows of a table must contain after the migrations since one. */
const upgraded = (table: string, rows: Rows[string], since: string) =>
  MIGRATIONS.slice(MIGRATIONS.indexOf(since) + 1).reduce(
    (rows, migration) => rows.map((row) => CHANGED_ROWS[migration]?.[table]?.(row) ?? row),
    rows,
  )

describe.each(releasedMigrations())(`a database of %s on ${engine}`, (released) => {
  test('keeps every value when it is upgraded', async () => {
    const url = await releasedDatabase(released, engine)
    const before = await rowsOf(url)
    expect(Object.keys(before).length).toBeGreaterThan(5)
    for (const [table, content] of Object.entries(before)) expect(content, table).not.toEqual([])
    await openForTest(url)
    const after = await rowsOf(url)
    for (const [table, rows] of Object.entries(before))
      expect(
        after[table]?.slice(0, rows.length),
        `an upgrade changes values of ${table}: if it should, describe it in CHANGED_ROWS of test/schemas/files.ts`,
      ).toMatchObject(upgraded(table, rows, released))
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
