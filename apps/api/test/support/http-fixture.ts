import { clientOf, type JsonResponse } from 'testkit/client.ts'
import { serviceDatabase } from 'testkit/engines.ts'
import {
  test as base,
  expect,
  inject,
  onTestFailed,
  onTestFinished,
} from 'vitest'
import { type AppOptions, PROFILES } from '../../src/app.ts'
import { type OpenDatabase, openDatabase } from '../../src/database/open.ts'
import { RoleId, type TeamId, UserId } from '../../src/ids.ts'
import type { ProfileName } from '../../src/variables.ts'
import { appOn, databaseAt } from './listen.ts'

export const PASSWORD = 'correct-horse-battery-staple'

export type Service = ReturnType<typeof serviceOn>['service']

/**
 * The tests of a file share a database, which the fixture `service` empties
 * after each test. The fixture fails a test whose responses or log lines
 * contain a password, a hash or, in the log, an e-mail address.
 */
export const test = base
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
  .extend('url', { scope: 'file' }, async ({}, { onCleanup }) => {
    const { url, drop } = await serviceDatabase(inject('engine'))
    onCleanup(drop)
    return url
  })
  .extend('database', { scope: 'file' }, async ({ url }, { onCleanup }) => {
    const database = await openDatabase(databaseAt(url), PROFILES.a.migrations)
    onCleanup(() => database.close())
    return database
  })
  .extend('service', async ({ database }, { onCleanup }) => {
    const { service, assertNoSecrets } = serviceOn(database)
    onCleanup(async () => {
      await deleteRows(database)
      assertNoSecrets()
    })
    return service
  })

type DatabaseOptions = Parameters<typeof databaseAt>[1]

export async function openForTest(
  url: string,
  options: DatabaseOptions = {},
  name: ProfileName = 'a',
): Promise<OpenDatabase> {
  const { migrations } = PROFILES[name]
  const database = await openDatabase(databaseAt(url, options), migrations)
  onTestFinished(() => database.close())
  return database
}

export const serviceAt = async (url: string, options?: DatabaseOptions) =>
  serviceOn(await openForTest(url, options)).service

export async function startInMemory(
  name: ProfileName,
  options: Partial<AppOptions> = {},
): Promise<Service> {
  const database = await openForTest('sqlite::memory:', {}, name)
  return serviceOn(database, { profile: PROFILES[name], ...options }).service
}

export async function startWithDemo(name: ProfileName): Promise<Service> {
  const service = await startInMemory(name)
  await PROFILES[name].storeDemo(service.db)
  return service
}

function serviceOn(database: OpenDatabase, options: Partial<AppOptions> = {}) {
  const { app: wholeApp, logLines } = appOn(database, options)
  onTestFailed(() =>
    console.error(...logLines.filter((line) => line.includes('"level":50'))),
  )
  const bodies: string[] = []
  const app = inject('isProfileOnly') ? PROFILES.a.app(database.db) : wholeApp
  const fetch = async (path: string, init?: RequestInit) =>
    app.request(path, init)
  const client = clientOf(async (path, init) => {
    const response = await fetch(path, init)
    bodies.push(await response.clone().text())
    return response
  })
  const service = {
    database,
    db: database.db,
    logLines: logLines as readonly string[],
    ...client,
    fetch,
  }
  return {
    service,
    assertNoSecrets() {
      for (const text of [...bodies, ...logLines]) {
        expect(text).not.toContain(PASSWORD)
        expect(text).not.toContain('$argon2')
      }
      for (const line of logLines)
        expect(line, 'an e-mail address in the log').not.toMatch(/@example/i)
    },
  }
}

async function deleteRows({ db }: OpenDatabase): Promise<void> {
  let tables = (await db.introspection.getTables()).map(({ name }) => name)
  while (tables.length > 0) {
    const referenced: string[] = []
    for (const table of tables)
      await db
        .deleteFrom(table)
        .execute()
        .catch(() => referenced.push(table))
    tables = referenced
  }
}

let people = 0

export function newUser(fields: Record<string, unknown> = {}) {
  people += 1
  return {
    email: `person-${people}@example.com`,
    name: `Person ${people}`,
    password: PASSWORD,
    ...fields,
  }
}

export async function bodyOf201(responding: Promise<JsonResponse>) {
  const { status, json, text } = await responding
  expect(status, text).toBe(201)
  return json
}

export async function storedUser(service: Service, fields: UserFields = {}) {
  const [id] = await insertUsers(service.db, 1, fields)
  return (await service.get(`/users/${id}`)).json
}

interface UserFields {
  readonly name?: string
  readonly team_id?: TeamId | null | undefined
}

/** Inserts users without hashing passwords, because a hash takes 20 ms. */
export async function insertUsers(
  db: OpenDatabase['db'],
  count: number,
  fields: UserFields = {},
): Promise<UserId[]> {
  const ids = UserId.generateMany(count)
  const rows = ids.map((id) => ({
    id,
    email: id,
    normalized_email: id,
    name: '',
    password_hash: 'x',
    team_id: null,
    ...fields,
  }))
  await db.insertInto('users').values(rows).execute()
  return ids
}

export async function insertRoles(
  db: OpenDatabase['db'],
  count: number,
  { name = 'role ', description = '' } = {},
): Promise<RoleId[]> {
  const ids = RoleId.generateMany(count)
  const rows = ids.map((id, n) => ({ id, name: name + n, description }))
  await db.insertInto('roles').values(rows).execute()
  return ids
}

export async function assignRoles(
  db: OpenDatabase['db'],
  users: readonly (UserId | undefined)[],
  roles: readonly RoleId[],
): Promise<void> {
  for (const user_id of users) {
    const rows = roles.map((role_id) => ({ user_id, role_id }))
    await db.insertInto('user_roles').values(rows).execute()
  }
}
