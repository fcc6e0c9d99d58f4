import type { Logger } from 'kysely'
import { type Document, operationsOf } from 'testkit/document.ts'
import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import type { Route } from '../../src/http/route.ts'
import { createLog } from '../../src/observability/log.ts'
import { openDatabase } from '../../src/open-database.ts'
import type { Profile } from '../../src/profile.ts'
import { PROFILES } from '../../src/profiles.ts'
import { walkContract } from '../support/contract.ts'
import { databaseAt } from '../support/database.ts'
import { assertIndexed } from '../support/query-plans.ts'

const SEED = 20260101

async function walk(profile: Profile, runs: number) {
  const statements = new Set<string>()
  const log: Logger = (event) => void (event.level === 'query' && statements.add(event.query.sql))
  const database = await openDatabase(databaseAt('sqlite::memory:', { log }), profile.migrations)
  statements.clear() // of the migrations
  const app = createApp({ profile, database, log: createLog('silent') })
  const document: Document = JSON.parse(await (await app.request('/openapi.json')).text())
  const result = await walkContract(document, (path, init) => app.request(path, init), runs, SEED)
  return { ...result, operations: operationsOf(document), database, statements }
}

describe.each(['a', 'b'] as const)('Profile %s', (name) => {
  test('responds as its document says to valid and invalid requests, and finds rows by indexes', async () => {
    const {
      responses: received,
      violations,
      operations,
      database,
      statements,
    } = await walk(PROFILES[name], process.env.QUICK ? 80 : 200)
    expect(violations).toEqual([])

    for (const { operationId, responses } of operations) {
      const [success] = Object.keys(responses).filter((status) => status.startsWith('2'))
      expect([...(received.get(operationId)?.keys() ?? [])], operationId).toContain(Number(success))
    }
    // Every operation has succeeded at least once, so these are all statements of the profile.
    await assertIndexed(database.db, 'sqlite-memory', [...statements])
    await database.close()
  })
})

describe('the check of the contract finds', () => {
  const copy = (
    { status, headers }: Response,
    changes: { body: string; status?: number; headers?: object },
  ) =>
    new Response(changes.body, {
      status: changes.status ?? status,
      headers: { ...Object.fromEntries(headers), ...changes.headers },
    })
  const changed =
    (change: (user: Record<string, unknown>) => unknown) =>
    async (response: Response): Promise<Response> =>
      response.status === 200
        ? copy(response, { body: JSON.stringify(change(JSON.parse(await response.text()))) })
        : response
  const text = (response: Response) => response.text()

  test.for<[string, (response: Response) => Response | Promise<Response>, RegExp]>([
    [
      'a status that is not documented',
      async (response) => copy(response, { status: 418, body: await text(response) }),
      /the undocumented status 418/,
    ],
    ['a field too many', changed((user) => ({ ...user, password_hash: 'x' })), /additionalProperties/],
    [
      'a valid request that is rejected',
      (response) => copy(response, { status: 422, body: '{"detail":[]}' }),
      /a valid request received 422/,
    ],
  ])('%s', async ([, breakIt, message]) => {
    const { violations, database } = await walk(
      broken('getUser', async (handle) => breakIt(await handle())),
      60,
    )
    await database.close()
    expect(violations).toEqual([expect.stringMatching(message)])
    expect(violations[0]).toMatch(/^getUser: /)
  })
})

/** Returns two endpoints of Profile B, one of which does not do what its document says. */
function broken(
  operationId: string,
  instead: (handle: () => Promise<Response>) => Promise<Response>,
): Profile {
  const breakRoute = (route: Route): Route =>
    route.declaration.id === operationId
      ? { ...route, handle: (c) => instead(async () => route.handle(c)) }
      : route
  const isNeeded = ({ declaration: { id } }: Route) => id === operationId || id === 'createUser'
  return { ...PROFILES.b, endpoints: (db) => PROFILES.b.endpoints(db).filter(isNeeded).map(breakRoute) }
}
