import { describe, expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { PROFILES } from '../../src/config/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import type { Profile } from '../../src/http/profile.ts'
import type { EndpointResponse } from '../../src/http/response.ts'
import type { Route } from '../../src/http/route.ts'
import { createLog } from '../../src/observability/log.ts'
import { walkContract } from '../support/contract.ts'
import { databaseAt } from '../support/database.ts'
import { type Document, operationsOf } from '../support/document.ts'

const SEED = 20260101

async function walk(profile: Profile, runs: number) {
  const db = await openDatabase(databaseAt('sqlite::memory:'), profile.migrations)
  const app = createApp({ profile, db, log: createLog('silent') })
  const document: Document = JSON.parse(await (await app.request('/openapi.json')).text())
  const result = await walkContract(document, (path, init) => app.request(path, init), runs, SEED)
  await db.close()
  return { ...result, operations: operationsOf(document) }
}

describe.each(['a', 'b'] as const)('Profile %s', (name) => {
  test('keeps to its document, whatever it is sent', { timeout: 120_000 }, async () => {
    const { answers, violations, operations } = await walk(PROFILES[name], 200)
    const total = ([, counts]: [string, Map<number, number>]) =>
      [...counts.values()].reduce((a, b) => a + b, 0)
    for (const entry of answers) {
      const statuses = [...entry[1]].sort(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`)
      console.log(`Profile ${name}  ${entry[0].padEnd(12)}${total(entry)} requests  ${statuses.join(', ')}`)
    }
    expect(violations).toEqual([])

    // And the document keeps to the service: what it promises has been seen, but for the database failing.
    for (const { operationId, responses } of operations) {
      const seen = [...(answers.get(operationId)?.keys() ?? [])].sort()
      expect(seen, operationId).toEqual(
        Object.keys(responses)
          .map(Number)
          .filter((status) => status !== 503)
          .sort(),
      )
    }
  })
})

describe('the walk finds', () => {
  const user = (reply: EndpointResponse) => JSON.parse(String(reply.body))
  const changed = (change: (user: Record<string, unknown>) => unknown) => (reply: EndpointResponse) =>
    reply.status === 200 ? { ...reply, body: JSON.stringify(change(user(reply))) } : reply

  test.for<[string, (reply: EndpointResponse) => EndpointResponse, RegExp]>([
    [
      'a status that is not documented',
      (reply) => ({ ...reply, status: 418 }),
      /the undocumented status 418/,
    ],
    [
      'an exception',
      () => {
        throw new Error('broken')
      },
      /status 500/,
    ],
    ['a field too many', changed((user) => ({ ...user, password_hash: 'x' })), /additionalProperties/],
    ['a field that is missing', changed(({ email: _, ...user }) => user), /"missingProperty":"email"/],
    ['a field of another type', changed((user) => ({ ...user, name: 1 })), /must be string/],
    [
      'an id of another type',
      changed((user) => ({ ...user, id: String(user.id).replace('user', 'team') })),
      /must match pattern/,
    ],
    [
      'a header that is not documented',
      (reply) => ({ ...reply, headers: { ...reply.headers, 'x-powered-by': 'x' } }),
      /the undocumented header x-powered-by/,
    ],
    [
      'another content type',
      (reply) => ({ ...reply, headers: { 'content-type': 'text/plain' } }),
      /the content type text\/plain/,
    ],
    [
      'a valid request that is refused',
      () => ({ status: 422, body: '{"detail":[]}', headers: { 'content-type': 'application/json' } }),
      /a valid request was refused/,
    ],
  ])('%s', async ([, breakIt, message]) => {
    const { violations } = await walk(
      broken('getUser', async (answer) => breakIt(await answer())),
      60,
    )
    expect(violations).toEqual([expect.stringMatching(message)])
    expect(violations[0]).toMatch(/^getUser: /)
  })

  test('an invalid request that is answered', async () => {
    const example = { id: 'user-0190163d-8694-739b-aea5-966c26f8ad91', name: '', email: '', team_id: null }
    const reply = {
      status: 200,
      body: JSON.stringify(example),
      headers: { 'content-type': 'application/json' },
    }
    const { violations } = await walk(
      broken('getUser', async () => reply),
      60,
    )
    expect(violations).toEqual([expect.stringMatching(/^getUser: an invalid request was answered with 200/)])
  })
})

/** Profile B with one handler that does not do what its document says. */
function broken(
  operationId: string,
  instead: (handle: () => Promise<EndpointResponse>) => Promise<EndpointResponse>,
): Profile {
  const breakRoute = (route: Route): Route =>
    route.declaration.id === operationId
      ? { ...route, handle: (request) => instead(async () => route.handle(request)) }
      : route
  return {
    ...PROFILES.b,
    createService: (db) => ({ routes: PROFILES.b.createService(db).routes.map(breakRoute) }),
  }
}
