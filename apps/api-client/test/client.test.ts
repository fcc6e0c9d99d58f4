import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApplyGlobalResponse } from 'hono/client'
import { type Running, startService } from 'testkit/process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import * as client from '../src/index.ts'

let service: Running
let url = ''
/** A proxy that adds a prefix to the path, and requires a token. */
const proxy = createServer(async ({ url = '', headers }, res) => {
  if (headers.authorization !== 'Bearer x') return res.writeHead(401).end()
  const response = await service.get(url.replace('/api/', '/'))
  const link = response.headers.get('link')
  res.writeHead(response.status, link ? { link } : {}).end(response.text)
})

beforeAll(async () => {
  service = await startService({ DATABASE_URL: 'sqlite::memory:' })
  for (const name of ['A', 'B', 'C']) await service.post('/teams', { name })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/api`
})
afterAll(async () => {
  proxy.close()
  proxy.closeAllConnections()
  await service.stop()
})

type Unauthorized = { 401: { json: { message: string } } }
type App = ApplyGlobalResponse<client.AppType, Unauthorized>
type Options = Parameters<typeof client.createClient>[1]
const list = (options?: Options, limit?: number, after?: client.TeamId) =>
  client.createClient<App>(url, options).teams.$get({ query: { limit, after } })
const headers = { Authorization: 'Bearer x' }

test.for([
  ['an object', headers],
  ['a function', () => headers],
  ['an asynchronous function', async () => headers],
] as const)('headers can be %s', async ([, headers]) => {
  expect((await list()).status === 401).toBe(true)
  expect((await list({ headers })).status).toBe(200)
})

test('init, fetch and buildSearchParams are those of hc', async () => {
  const init = { signal: AbortSignal.abort() }
  await expect(list({ init })).rejects.toThrow(/abort/)
  const requested: unknown[] = []
  const response = await list({
    headers,
    fetch: ((input, init) => {
      requested.push(input)
      return fetch(input, init)
    }) satisfies typeof fetch,
    buildSearchParams: () => new URLSearchParams({ limit: '1' }),
  })
  expect(await response.json()).toHaveLength(1)
  expect(requested).toEqual([`${url}/teams?limit=1`])
})

test('nextPage leads through a list below the prefix of a proxy', async () => {
  const names: string[] = []
  let after: client.TeamId | undefined
  do {
    const response = await list({ headers }, 1, after)
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    names.push(...(await response.json()).map(({ name }) => name))
    const next = client.nextPage(response)
    if (next) expect(next.href).toMatch(`${url}/teams?limit=1&after=team-`)
    after = next && client.TeamId.parse(next.searchParams.get('after'))
  } while (after)
  expect(names).toEqual(['A', 'B', 'C'])
})

test.for([
  ['<?a=1>; rel=next', 'http://host/teams?a=1'],
  ['</x>; rel="up", <?a=1>; title="y"; REL="next"', 'http://host/teams?a=1'],
  ['<https://other/teams>; rel="next"', 'https://other/teams'],
  ['<?a=1>; rel="prev"', undefined],
] as const)('nextPage reads %j', ([link, expected]) => {
  const response = { headers: new Headers({ link }), url: 'http://host/teams' }
  expect(client.nextPage(response)?.href).toBe(expected)
})

test('nextPage throws for a relative link of a response without a URL', () => {
  const headers = { link: '<?a=1>; rel="next"' }
  const response = new Response(null, { headers })
  expect(() => client.nextPage(response)).toThrow(TypeError)
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
