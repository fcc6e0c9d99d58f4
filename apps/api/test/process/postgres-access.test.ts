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
  const { get, post } = await serviceAt(access.url, { poolSize: 3 })
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

test('a PostgreSQL that accepts too few connections makes requests without one respond 503, until it accepts more', async () => {
  const { role, url, server } = await roleForTest(await databaseForTest('postgres'), 'all')
  const service = await serviceAt(url)
  const writer = createTeamWriter(() => service)

  await server.query(`alter role ${role} connection limit 1`)
  const countRejected = async () => {
    const counts = await writer.createTeams(100)
    return counts[503]
  }
  await expect.poll(countRejected).toBeGreaterThan(0)
  expect(service.logLines.join('\n')).toContain('53300')

  await server.query(`alter role ${role} connection limit -1`)
  expect(await writer.createTeams(100)).toEqual({ 201: 100, 503: 0 })
  await writer.expectConfirmedTeams()
})

describe('a start is rejected in one line', () => {
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
