import { randomUUID } from 'node:crypto'
import type { JsonResponse } from 'testkit/client.ts'
import { connectForTest, databaseForTest, emptyDatabaseForTest } from 'testkit/engines.ts'
import { createTeamWriter } from 'testkit/team-writer.ts'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { operatorErrorOf, startAndStop } from '../support/commands.ts'
import { serviceAt } from '../support/http-fixture.ts'

/** Creates a role that may log in, and returns it with the URL of the database for it. */
async function roleForTest(url: string, privileges: string) {
  const server = await connectForTest(inject('postgresUrl'))
  const admin = await connectForTest(url)
  const role = `role_${randomUUID().replaceAll('-', '')}`
  await server.query(`create role ${role} login password 'first'`)
  onTestFinished(async () => {
    // The first of these statements fails when the test has dropped the database.
    await admin.query(`drop owned by ${role}`).catch(() => {})
    await server.query(`drop role ${role}`)
  })
  await admin.query(`grant ${privileges} on all tables in schema public to ${role}`)
  const target = new URL(url)
  target.username = role
  target.password = 'first'
  return { role, url: target.href, admin, server }
}

/** The service in this process with a new role, and its responses to a read, a write and /readyz. */
async function serviceForTest() {
  const database = await databaseForTest('postgres')
  const access = await roleForTest(database, 'all')
  const { get, post } = await serviceAt(access.url, { poolSize: 1 })
  const describeResponse = ({ status, headers }: JsonResponse) => [status, headers.get('retry-after')]
  return {
    ...access,
    name: new URL(database).pathname.slice(1),
    responses: async () => ({
      read: describeResponse(await get('/teams')),
      write: describeResponse(await post('/teams', { name: 'x' })),
      ready: describeResponse(await get('/readyz')),
    }),
  }
}

const WORKING = { read: [200, null], write: [201, null], ready: [200, null] }
const UNAVAILABLE = { read: [503, '1'], write: [503, '1'], ready: [503, '1'] }

describe('while the service runs, it responds 503 with Retry-After', () => {
  test.each([
    ['the password has changed', "alter role ROLE password 'second'", "alter role ROLE password 'first'"],
    ['the role has lost its right to log in', 'alter role ROLE nologin', 'alter role ROLE login'],
    [
      'the database stopped accepting connections',
      'alter database NAME allow_connections false',
      'alter database NAME allow_connections true',
    ],
  ])('after %s, until that is undone', async (_, change, undo) => {
    const { role, name, server, responses } = await serviceForTest()
    const execute = (sql: string) => server.query(sql.replace('ROLE', role).replace('NAME', name))
    expect(await responses()).toEqual(WORKING)
    await execute(change)
    await execute("select pg_terminate_backend(pid) from pg_stat_activity where usename = 'ROLE'")
    await expect.poll(responses).toEqual(UNAVAILABLE)
    await execute(undo)
    expect(await responses()).toEqual(WORKING)
  })

  test('after the database was dropped', async () => {
    const { name, server, responses } = await serviceForTest()
    expect(await responses()).toEqual(WORKING)
    await server.query(`drop database ${name} with (force)`)
    await expect.poll(responses).toEqual(UNAVAILABLE)
  })

  test('to writes after the role has lost a privilege', async () => {
    const { role, admin, responses } = await serviceForTest()
    await admin.query(`revoke insert on teams from ${role}`)
    expect(await responses()).toEqual({ ...WORKING, write: [503, '1'] })
    await admin.query(`grant insert on teams to ${role}`)
    expect(await responses()).toEqual(WORKING)
  })
})

test('a PostgreSQL that accepts too few connections makes requests without one respond 503, and the others succeed', async () => {
  const { role, url, server } = await roleForTest(await databaseForTest('postgres'), 'all')
  const service = await serviceAt(url)
  const writer = createTeamWriter(() => service)

  await server.query(`alter role ${role} connection limit 1`)
  let created = 0
  const countRejected = async () => {
    const counts = await writer.createTeams(100)
    created += counts[201]
    return counts[503]
  }
  // All of them succeed if they arrive together: one transaction on one connection writes them.
  await expect.poll(countRejected).toBeGreaterThan(0)
  expect(created).toBeGreaterThan(0)
  await expect.poll(writer.expectConfirmedTeams).toBeUndefined()
  expect(service.logLines.join('\n')).toContain('53300')

  await server.query(`alter role ${role} connection limit -1`)
  expect(await writer.createTeams(100)).toEqual({ 201: 100, 503: 0 })
  await writer.expectConfirmedTeams()
})

describe('a start is rejected in one line', () => {
  test.each(['start', 'never'])('for a role that may only read, with MIGRATE=%s', async (MIGRATE) => {
    const { url, role } = await roleForTest(await databaseForTest('postgres'), 'select')
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url, MIGRATE }))).toBe(
      `DATABASE_URL: cannot use ${withoutRole(url)}: the role ${role} lacks the privileges ` +
        'INSERT, UPDATE, DELETE on teams; INSERT, UPDATE, DELETE on roles; INSERT, UPDATE, DELETE on users; INSERT, UPDATE, DELETE on user_roles: grant them as the owner of the tables',
    )
  })

  test.each([
    ['insert', 'roles'],
    ['update', 'users'],
    ['delete', 'user_roles'],
    ['select', 'teams'],
  ])('for a role that lacks only %s on %s', async (privilege, table) => {
    const { url, role, admin } = await roleForTest(await databaseForTest('postgres'), 'all')
    await startAndStop({ DATABASE_URL: url })
    await admin.query(`revoke ${privilege} on ${table} from ${role}`)
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url }))).toMatch(
      new RegExp(
        ` lacks the privileges ${privilege.toUpperCase()} on ${table}: grant them as the owner of the tables$`,
      ),
    )
  })

  // The default for every role but the owner of the database since PostgreSQL 15.
  test('for a role that may not create tables in an empty database', async () => {
    const { url, role } = await roleForTest(await emptyDatabaseForTest('postgres'), 'all')
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url }))).toBe(
      `DATABASE_URL: cannot use ${withoutRole(url)}: the role ${role} lacks the privilege CREATE on the schema public: grant it, or make the role the owner of the database`,
    )
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url, MIGRATE: 'never' }))).toMatch(
      / the schema lacks the migration 0001-initial: run /,
    )
  })

  test('for an empty database that is read-only, as a standby is', async () => {
    const url = `${await emptyDatabaseForTest('postgres')}?options=-cdefault_transaction_read_only%3Don`
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url }))).toMatch(
      /: cannot execute CREATE TABLE in a read-only transaction$/,
    )
  })

  test('for a database in which another program has a table of the same name', async () => {
    const url = await emptyDatabaseForTest('postgres')
    await (await connectForTest(url)).query('create table users (id int)')
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url }))).toBe(
      `DATABASE_URL: cannot use ${withoutRole(url)}: relation "users" already exists`,
    )
  })

  test.each([
    [
      'a table of the same name in an earlier schema',
      'create schema shop; create table shop.users (id int); grant all on shop.users to public',
      'shop, public',
      /: shop\.users hides the table of the service: create a database for the service alone$/,
    ],
    [
      'row-level security',
      'alter table users enable row level security',
      'public',
      /: row-level security of public\.users hides rows from the role role_\w+: disable it$/,
    ],
  ])('for %s, which would hide rows', async (_, change, path, message) => {
    const { url, admin } = await roleForTest(await databaseForTest('postgres'), 'all')
    await admin.query(`${change}; grant usage on schema ${path} to public`)
    const DATABASE_URL = `${url}?options=-csearch_path%3D${path.replace(' ', '')}`
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL }))).toMatch(message)
  })

  test('for a search_path without a schema', async () => {
    const url = `${await emptyDatabaseForTest('postgres')}?options=-csearch_path%3Dmissing`
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url }))).toMatch(
      /: no schema of the search_path exists: missing$/,
    )
  })

  test.each(['start', 'never'])(
    'for a database of which another schema has migrations, with MIGRATE=%s',
    async (MIGRATE) => {
      const url = await emptyDatabaseForTest('postgres')
      const admin = await connectForTest(url)
      await admin.query('create schema shop; create table shop.kysely_migration (name text)')
      expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url, MIGRATE }))).toMatch(
        /: the schema shop has a table kysely_migration: create a database for the service alone$/,
      )
    },
  )

  test.each(['LATIN1', 'SQL_ASCII'])('for a database with the encoding %s', async (encoding) => {
    const server = await connectForTest(inject('postgresUrl'))
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await server.query(
      `create database ${name} encoding '${encoding}' template template0 lc_collate 'C' lc_ctype 'C'`,
    )
    onTestFinished(async () => void (await server.query(`drop database ${name} with (force)`)))
    const url = new URL(inject('postgresUrl'))
    url.pathname = `/${name}`
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url.href }))).toBe(
      `DATABASE_URL: cannot use ${withoutRole(url.href)}: expected the encoding UTF8, but the database has ${encoding}: create it with "create database NAME encoding 'UTF8' template template0"`,
    )
  })
})

test('a role without rights on the schema starts with MIGRATE=never when the schema is complete', async () => {
  const { url } = await roleForTest(await databaseForTest('postgres'), 'select, insert, update, delete')
  await startAndStop({ DATABASE_URL: url, MIGRATE: 'never' })
})

test('the owner of an empty database starts without any grant', async () => {
  await startAndStop({ DATABASE_URL: await emptyDatabaseForTest('postgres') })
})

function withoutRole(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

test('a start without the password that the server asks for names the place of the password', async () => {
  const url = new URL(inject('postgresUrl'))
  url.password = ''
  expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url.href }))).toMatch(
    /^DATABASE_URL: cannot use .*: the server asks for a password, and the URL has none: postgres:\/\/user:password@/,
  )
})
