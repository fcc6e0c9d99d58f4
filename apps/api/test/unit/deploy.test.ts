import { readFileSync } from 'node:fs'
import { REPOSITORY } from 'testkit/documents.ts'
import { expect, test, vi } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { HEADERS_TIMEOUT_MS } from '../../src/server/serve.ts'
import { VARIABLES } from '../../src/variables.ts'

const read = (file: string) => readFileSync(new URL(file, REPOSITORY), 'utf8')
const [image, compose, unit, haproxy] = [
  'Dockerfile',
  'compose.yaml',
  'apps/api/deploy/typed-id-api.service',
  'apps/api/deploy/haproxy.cfg',
].map(read) as [string, string, string, string]

const find = (text: string, pattern: RegExp) =>
  pattern.exec(text)?.[1] ?? `no ${pattern}`
const ms = (text: string, pattern: RegExp) => Number(find(text, pattern))

function variablesOf(text: string, part: RegExp) {
  const lines = find(text, part).replace(/\$\{.*?\}/g, 'x')
  return Object.fromEntries(
    [...lines.matchAll(/\b([A-Z_\d]+)(?:=|: )"?([^\s"]+)/g)].map(
      ([, name = '', value = '']) => [name, value],
    ),
  )
}
const composed = (start: RegExp) =>
  variablesOf(
    compose.slice(compose.search(start)),
    /environment:\n([\s\S]+?):\n/,
  )

const IMAGE = variablesOf(image, /^ENV (.+)$/m)
const COMPOSE = { ...IMAGE, ...composed(/^x-api/m) }
const UNIT = variablesOf(unit, /^Environment=(.+)$/m)

test.each([
  ['Dockerfile', IMAGE, '0.0.0.0', `sqlite:${find(image, /^VOLUME (.+)$/m)}/`],
  ['compose.yaml', COMPOSE, '0.0.0.0', 'postgres://'],
  [
    'The systemd unit',
    UNIT,
    '127.0.0.1',
    `sqlite:/var/lib/${find(unit, /^StateDirectory=(.+)$/m)}/`,
  ],
])(
  '%s sets valid variables of the service: its address, and a database that is kept',
  (_, { NODE_ENV, ...variables }, host, url) => {
    expect(NODE_ENV).toBe('production')
    expect(Object.keys(VARIABLES)).toEqual(
      expect.arrayContaining(Object.keys(variables)),
    )
    const config = readConfig(variables, '/')
    expect(config.host).toBe(host)
    expect(config.database.url).toMatch(url)
  },
)

test('the stages of the image have one base, with the same Node', () => {
  const [base, ...others] = image.match(/(?<=^FROM )\S+/gm) ?? []
  expect(others).toEqual([base])
})

test('the image and the systemd unit run the same file of the bundle', () => {
  const run = find(unit, /^ExecStart=.*\/(.+)$/m)
  expect(find(image, /^CMD .*\/(.+)"\]$/m)).toBe(run)
  expect(unit).not.toMatch(/typed-(?!id-api\b)/)
})

test.each([
  [true, 0],
  [false, 1],
])(
  'the health check of the image, if /readyz is ok: %j, exits with %i',
  async (ok, code) => {
    const [, , script] = JSON.parse(find(image, /HEALTHCHECK.*\n +CMD (.+)$/m))
    const fetch = vi.fn(async () => ({ ok }))
    const exit = vi.fn()
    const check = new Function('fetch', 'process', `return ${script}`)
    await check(fetch, { env: { PORT: '1' }, exit })
    expect(fetch).toHaveBeenCalledWith('http://127.0.0.1:1/readyz')
    expect(exit.mock.calls).toEqual([[code]])
  },
)

test('compose.yaml and the systemd unit leave the service the time to stop', () => {
  for (const [variables, seconds] of [
    [COMPOSE, ms(compose, /stop_grace_period: (\d+)s/)],
    [UNIT, ms(unit, /^TimeoutStopSec=(\d+)$/m)],
  ] as const) {
    const { drainMs, stopMs } = readConfig(variables, '/').limits
    expect(seconds * 1000).toBeGreaterThan(drainMs + stopMs)
  }
})

test('HAProxy reaches both instances, notices their stop, and waits for their responses', () => {
  const { LISTEN, SERVER_1, SERVER_2 } = composed(/^ {2}haproxy:/m)
  const { port, limits } = readConfig(COMPOSE, '/')
  expect(find(image, /^EXPOSE (.+)$/m)).toBe(`${port}`)
  for (const [n, server] of [SERVER_1, SERVER_2].entries()) {
    expect(compose).toMatch(new RegExp(`^ {2}api-${n + 1}: \\*api$`, 'm'))
    expect(server).toBe(`api-${n + 1}:${port}`)
  }
  expect(find(compose, /- "127\.0\.0\.1:\d+(:\d+)"/)).toBe(LISTEN)
  expect(find(haproxy, /httpchk GET (.+)$/m)).toBe('/readyz')
  const notices = ms(haproxy, /inter (\d+)ms/) * ms(haproxy, / fall (\d+) /)
  expect(limits.drainMs).toBeGreaterThan(notices)
  expect(ms(haproxy, /timeout client (\d+)s/) * 1000).toBe(limits.requestMs)
  const headers = ms(haproxy, /timeout http-request (\d+)s/)
  expect(headers * 1000).toBe(HEADERS_TIMEOUT_MS)
  const waits = ms(haproxy, /timeout server (\d+)s/) * 1000
  expect(waits).toBeGreaterThan(limits.responseMs)
  expect(waits).toBeLessThan(limits.idleMs)
})

test('compose.yaml creates the account and the database that the service uses, and keeps its files in a volume', () => {
  const { POSTGRES_USER, POSTGRES_PASSWORD, POSTGRES_DB } =
    composed(/^ {2}postgres:/m)
  expect(readConfig(COMPOSE, '/').database.url).toBe(
    `postgres://${POSTGRES_USER}:${POSTGRES_PASSWORD}@postgres:5432/${POSTGRES_DB}`,
  )
  const major = find(compose, / image: postgres:(\d+)/)
  const folder = `/var/lib/postgresql/${major}/docker/`
  expect(folder).toMatch(`${find(compose, / - postgres:(\/.+)$/m)}/`)
})
