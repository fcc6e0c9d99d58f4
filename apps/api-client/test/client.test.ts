import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApplyGlobalResponse } from 'hono/client'
import { type Running, startService } from 'testkit/process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type AppType,
  createClient,
  fieldErrors,
  nextPage,
  TeamId,
} from '../src/index.ts'

let service: Running
let url = ''
/** A proxy that adds a prefix to the path, and requires a token. */
const proxy = createServer(async ({ url = '', method = '', headers }, res) => {
  if (headers.authorization !== 'Bearer secret')
    return res.writeHead(401, { 'content-type': 'application/json' }).end('{}')
  const {
    status,
    text,
    headers: received,
  } = await service.request(url.replace('/api/', '/'), { method })
  const link = received.get('link')
  res.writeHead(status, link ? { link } : {}).end(text)
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

const Authorization = 'Bearer secret'
const authorized = () => createClient(url, { headers: { Authorization } })
const list = (api = authorized()) => api.teams.$get({ query: {} })

test('the status of a proxy is one of those that the types name', async () => {
  type Unauthorized = { 401: { json: { message: string } } }
  const api = createClient<ApplyGlobalResponse<AppType, Unauthorized>>(url)
  const response = await api.teams.$get({ query: {} })
  expect(response.status === 401).toBe(true)
})

test.for([
  ['an object', { Authorization }],
  ['a function', () => ({ Authorization })],
  ['an asynchronous function', async () => ({ Authorization })],
] as const)('headers can be %s', async ([, headers]) => {
  expect((await list(createClient(url, { headers }))).status).toBe(200)
})

test('init has the options of fetch, for all requests and for one', async () => {
  const signal = AbortSignal.abort()
  const init = { signal }
  await expect(list(createClient(url, { init }))).rejects.toThrow(/abort/)
  await expect(
    authorized().teams.$get({ query: {} }, { init }),
  ).rejects.toThrow(/abort/)
})

test('fetch and buildSearchParams replace those of the client', async () => {
  const requested: unknown[] = []
  const api = createClient(url, {
    headers: { Authorization },
    fetch: ((input, init) => {
      requested.push(input)
      return fetch(input, init)
    }) satisfies typeof fetch,
    buildSearchParams: (query) => new URLSearchParams({ ...query, limit: '1' }),
  })
  expect(await (await list(api)).json()).toHaveLength(1)
  expect(requested).toEqual([`${url}/teams?limit=1`])
})

test('nextPage returns the URL of the next page below the prefix of a proxy', async () => {
  const api = authorized()
  const names: string[] = []
  for (let after: TeamId | undefined, isLast = false; !isLast; ) {
    const response = await api.teams.$get({ query: { limit: 1, after } })
    if (!response.ok) throw new Error(`HTTP ${response.status}`)
    names.push(...(await response.json()).map(({ name }) => name))
    const next = nextPage(response)
    if (next) expect(next.href).toMatch(`${url}/teams?limit=1&after=team-`)
    isLast = next === undefined
    after = next && TeamId.parse(next.searchParams.get('after'))
  }
  expect(names).toEqual(['A', 'B', 'C'])
})

test.for([
  ['<?after=x>; rel=next', 'http://host/teams?after=x'],
  [
    '</a>; rel="preload", <?after=x>; title="y"; rel="next"',
    'http://host/teams?after=x',
  ],
  ['<https://other/teams>; REL="next"', 'https://other/teams'],
  ['<?after=x>; rel="prev"', undefined],
  ['', undefined],
] as const)('nextPage reads %j', ([link, expected]) => {
  const response = { headers: new Headers({ link }), url: 'http://host/teams' }
  expect(nextPage(response)?.href).toBe(expected)
})

test('nextPage throws for a relative link of a response without a URL', () => {
  const headers = { link: '<?after=x>; rel="next"' }
  expect(() => nextPage(new Response(null, { headers }))).toThrow(TypeError)
})

test('fieldErrors returns the messages of a response by field', async () => {
  const api = createClient(service.url)
  const json = { email: 'ada', name: 'x'.repeat(101), password: '\0' }
  const response = await api.users.$post({ json })
  if (response.status !== 422) throw new Error(`HTTP ${response.status}`)
  expect({ ...fieldErrors(await response.json()) }).toEqual({
    email: ['value is not a valid email address'],
    name: ['String should have at most 100 characters'],
    password: [
      'Input should be text without NUL characters and unpaired surrogates',
    ],
  })
})

test('fieldErrors keeps all messages of a field, with any name and depth', () => {
  const detail = [
    { type: 'a', loc: ['body', '__proto__'], msg: 'one' },
    { type: 'b', loc: ['body', '__proto__'], msg: 'two' },
    { type: 'c', loc: ['body', 'roles', 0, 'name'], msg: 'three' },
    { type: 'd', loc: ['body'], msg: 'four' },
  ]
  expect(Object.entries(fieldErrors({ detail }))).toEqual([
    ['__proto__', ['one', 'two']],
    ['roles.0.name', ['three']],
    ['', ['four']],
  ])
})
