import type { ApplyGlobalResponse } from 'hono/client'
import { expect, expectTypeOf, test } from 'vitest'
import * as client from '../src/index.ts'

type Unauthorized = { 401: { json: { message: string } } }
type App = ApplyGlobalResponse<client.AppType, Unauthorized>

test('createClient passes on all options of hc, and takes responses of a proxy', async () => {
  const sent: Request[] = []
  const api = client.createClient<App>('http://host/api', {
    headers: async () => ({ Authorization: 'Bearer x' }),
    init: { credentials: 'include' },
    buildSearchParams: () => new URLSearchParams({ limit: '1' }),
    async fetch(...request: ConstructorParameters<typeof Request>) {
      sent.push(new Request(...request))
      return new Response(null, { status: 401 })
    },
  })
  const response = await api.teams.$get({ query: { limit: 2 } })
  expect(response.status === 401).toBe(true)
  const requests = sent.map(({ url, credentials, headers }) => [
    url,
    credentials,
    headers.get('authorization'),
  ])
  expect(requests).toEqual([
    ['http://host/api/teams?limit=1', 'include', 'Bearer x'],
  ])
})

test.for([
  ['<?a=1>; rel=next', 'http://host/api/teams?a=1'],
  [
    '</x>; rel="up", <?a=1>; title="y"; REL="next"',
    'http://host/api/teams?a=1',
  ],
  ['<https://other/teams>; rel="next"', 'https://other/teams'],
  ['<?a=1>; rel="prev"', undefined],
  ['<?a=1>; rel="nextnode"', undefined],
] as const)('nextPage reads %j', ([link, expected]) => {
  const headers = new Headers({ link })
  const response = { headers, url: 'http://host/api/teams?limit=1' }
  expect(client.nextPage(response)?.href).toBe(expected)
  if (link.startsWith('<?a=1>; rel=next'))
    expect(() => client.nextPage(new Response(null, { headers }))).toThrow(
      TypeError,
    )
})

test('the types are those of users, teams and roles, and of fields that may have no message', () => {
  const { UserId, TeamId, RoleId } = client
  const prefixes = [UserId, TeamId, RoleId].map(({ prefix }) => prefix)
  expect(prefixes).toEqual(['user', 'team', 'role'])
  expectTypeOf<client.Team>().not.toBeNullable()
  expectTypeOf<client.FieldErrors['email']>().toEqualTypeOf<
    readonly string[] | undefined
  >()
})

test('fieldErrors keeps all messages of a field, with any name and depth', () => {
  const issues = [
    [['body', '__proto__'], 'one'],
    [['body', '__proto__'], 'two'],
    [['body', 'roles', 0, 'name'], 'three'],
    [['body'], 'four'],
  ] as const
  const detail = issues.map(([[...loc], msg]) => ({ type: 'x', loc, msg }))
  expect(Object.entries(client.fieldErrors({ detail }))).toEqual([
    ['__proto__', ['one', 'two']],
    ['roles.0.name', ['three']],
    ['', ['four']],
  ])
})
