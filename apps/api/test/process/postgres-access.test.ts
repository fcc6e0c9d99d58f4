import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { JsonResponse } from 'testkit/client.ts'
import {
  connectForTest,
  databaseForTest,
  emptyDatabaseForTest,
  folderForTest,
} from 'testkit/engines.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { operatorErrorOf, startAndStop } from '../support/commands.ts'
import { serviceAt } from '../support/http-fixture.ts'

async function roleForTest(url: string, privileges: string) {
  const server = await connectForTest(inject('postgresUrl'))
  const admin = await connectForTest(url)
  const role = `role_${randomUUID().replaceAll('-', '')}`
  await server.query(`create role ${role} login password 'first'`)
  onTestFinished(async () => {
    // `drop owned` fails when the test has already dropped the database.
    await admin.query(`drop owned by ${role}`).catch(() => {})
    await server.query(`drop role ${role}`)
  })
  await admin.query(
    `grant ${privileges} on all tables in schema public to ${role}`,
  )
  const target = new URL(url)
  target.username = role
  target.password = 'first'
  return { role, url: target.href, admin, server }
}

async function serviceForTest() {
  const database = await databaseForTest('postgres')
  const access = await roleForTest(database, 'all')
  const { get, post } = await serviceAt(access.url, { poolSize: 3 })
  const describeResponse = ({ status, headers }: JsonResponse) => [
    status,
    headers.get('retry-after'),
  ]
  return {
    ...access,
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
  test('after the password has changed, until that is undone', async () => {
    const { role, server, responses } = await serviceForTest()
    expect(await responses()).toEqual(WORKING)
    await server.query(`alter role ${role} password 'second'`)
    await server.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`,
    )
    await expect.poll(responses).toEqual(UNAVAILABLE)
    await server.query(`alter role ${role} password 'first'`)
    expect(await responses()).toEqual(WORKING)
  })

  test('until it can use the new password, which it reads from DATABASE_URL_FILE for each connection', async () => {
    const { role, url, admin, server } = await roleForTest(
      await databaseForTest('postgres'),
      'all',
    )
    const file = join(await folderForTest(), 'url')
    await writeFile(file, url)
    const { get, post } = await startServiceForTest({
      DATABASE_URL: '',
      DATABASE_URL_FILE: file,
    })
    expect((await get('/teams')).status).toBe(200)
    await server.query(`alter role ${role} password 'second'`)
    const end = `select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`
    await admin.query(end)
    await expect.poll(async () => (await get('/teams')).status).toBe(503)
    await rm(file)
    expect((await get('/readyz')).json.reason).toBe('cannot read the password')
    await writeFile(file, url.replace('first', 'second'))
    expect((await get('/teams')).status).toBe(200)
    expect((await post('/teams', { name: 'x' })).status).toBe(201)
    expect((await get('/readyz')).status).toBe(200)
  })

  test('to writes after the role has lost a privilege', async () => {
    const { role, admin, responses } = await serviceForTest()
    await admin.query(`revoke insert on teams from ${role}`)
    expect(await responses()).toEqual({ ...WORKING, write: [503, '1'] })
  })
})

describe('a start is rejected in one line', () => {
  test('for an empty database that is read-only, as a standby is', async () => {
    const url = `${await emptyDatabaseForTest('postgres')}?options=-cdefault_transaction_read_only%3Don`
    expect(await operatorErrorOf(startAndStop({ DATABASE_URL: url }))).toMatch(
      /: cannot execute CREATE TABLE in a read-only transaction$/,
    )
  })

  test('for a database with the encoding SQL_ASCII', async () => {
    const server = await connectForTest(inject('postgresUrl'))
    const name = `test_${randomUUID().replaceAll('-', '')}`
    await server.query(
      `create database ${name} encoding 'SQL_ASCII' template template0 lc_collate 'C' lc_ctype 'C'`,
    )
    onTestFinished(
      async () =>
        void (await server.query(`drop database ${name} with (force)`)),
    )
    const url = new URL(inject('postgresUrl'))
    url.pathname = `/${name}`
    expect(
      await operatorErrorOf(startAndStop({ DATABASE_URL: url.href })),
    ).toBe(
      `DATABASE_URL: cannot use ${withoutRole(url.href)}: expected the encoding UTF8, but the database has SQL_ASCII: create it with "create database NAME encoding 'UTF8' template template0"`,
    )
  })
})

test('a role without rights on the schema starts with MIGRATE=never when the schema is complete', async () => {
  const { url } = await roleForTest(
    await databaseForTest('postgres'),
    'select, insert, update, delete',
  )
  await startAndStop({ DATABASE_URL: url, MIGRATE: 'never' })
})

// The operating system treats 0.0.0.0 as this machine.
test.each([
  ['0.0.0.0', '', true],
  ['0.0.0.0', '?sslmode=disable', false],
  ['127.0.0.1', '', false],
  ['LOCALHOST', '', false],
])(
  'a start with PostgreSQL at %s%s warns of plain text: %s',
  async (host, options, isWarned) => {
    const url = new URL(await databaseForTest('postgres'))
    url.hostname = host
    const { logLines } = await startServiceForTest({
      DATABASE_URL: url.href + options,
    })
    expect(
      logLines.join().includes('connection to PostgreSQL is not encrypted'),
    ).toBe(isWarned)
  },
)

function withoutRole(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
