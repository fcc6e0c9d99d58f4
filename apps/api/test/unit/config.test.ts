import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import { inSetting, OperatorError } from '../../src/errors.ts'
import { defaultOf, VARIABLES } from '../../src/variables.ts'

type Env = Record<string, string>

const folder = mkdtempSync(join(tmpdir(), 'api-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
const urlFile = join(folder, 'url')
writeFileSync(urlFile, 'sqlite:/tmp/of-file.db\n')
const emptyFile = join(folder, 'empty')
writeFileSync(emptyFile, '\n')

const read = (env: Env) => readConfig(env, '/srv')

interface Cases {
  accepted: [value: string, config: object][]
  rejected?: string[]
}

const whole = (
  min: number,
  max: number,
  configOf: (value: number) => object,
) => ({
  accepted: [min, max].map((n): [string, object] => [`${n}`, configOf(n)]),
  rejected: [`${min - 1}`, `${max + 1}`, ` ${min}`, `${min}e0`],
})
const urlIs = (url: string) => ({ database: { url } })
const HOUR = 3_600_000
const limit = (name: string, min = 1, max = HOUR) =>
  whole(min, max, (value) => ({ limits: { [name]: value } }))

const CASES: Record<keyof typeof VARIABLES, Cases> = {
  PORT: whole(0, 65_535, (port) => ({ port })),
  HOST: {
    accepted: ['::1', 'fe80::1%eth0', 'my_host.example'].map(
      (host): [string, object] => [host, { host }],
    ),
    rejected: ['127.0.0.1\r', '"127.0.0.1"', 'a b'],
  },
  PROFILE: { accepted: [['b', { profileName: 'b' }]], rejected: ['A'] },
  DATABASE_URL: {
    accepted: [
      [
        "sqlite:/tmp//a ~b/file:c/:memory:d/e-wal/o'hara/100%.db",
        urlIs("sqlite:/tmp/a ~b/file:c/:memory:d/e-wal/o'hara/100%.db"),
      ],
      // The service trims the value, as better-sqlite3 trims a path.
      [' sqlite:users.db \r\n', urlIs('sqlite:/srv/users.db')],
      ['postgresql://app@x/y', urlIs('postgresql://app@x/y')],
    ],
    rejected: [
      ...['sqlite::memory:?cache=shared', 'sqlite::memory', 'sqlite:memory:'],
      ...['sqlite://users.db', 'sqlite:file:users.db', 'sqlite:', 'sqlite:x/'],
      ...['sqlite:"/data/users.db"', "'sqlite:/data/users.db'", "sqlite:x'"],
      ...["sqlite:'x", 'sqlite:~/users.db', 'sqlite: /data/users.db'],
      ...['sqlite:$HOME/users.db', 'sqlite:%APPDATA%/users.db', 'sqlite:`pwd`'],
      ...['sqlite:x.db-shm', 'sqlite:x.db-journal', 'sqlite:USERS.DB-WAL'],
      ...['mysql://root:hunter2@db/users', 'postgres://root:hunter2@[db/users'],
    ],
  },
  DATABASE_URL_FILE: {
    accepted: [[urlFile, urlIs('sqlite:/tmp/of-file.db')]],
    rejected: ['postgres://app:hunter2@db/users', emptyFile],
  },
  LOG_LEVEL: {
    accepted: [['silent', { logLevel: 'silent' }]],
    rejected: ['INFO'],
  },
  CORS_ORIGIN: {
    accepted: [
      ['*', { corsOrigins: ['*'] }],
      [
        'https://app.example.com, capacitor://localhost',
        { corsOrigins: ['https://app.example.com', 'capacitor://localhost'] },
      ],
      [
        'https://bücher.example:443,http://[0:0::1]:80',
        { corsOrigins: ['https://xn--bcher-kva.example', 'http://[::1]'] },
      ],
    ],
    rejected: [
      ...['app.example.com', 'https://x/', 'https://*.example.com'],
      ...['https://APP.example.com', 'https://x:99999', 'http://x,'],
      ...['https://ada@x', 'https://x?x', 'https://x#x', 'Tauri://x'],
    ],
  },
  CORS_CREDENTIALS: {
    accepted: [['false', { corsCredentials: false }]],
    // 'true' is valid only with CORS_ORIGIN, which is not set here.
    rejected: ['true', 'yes'],
  },
  ALLOWED_HOSTS: {
    accepted: [
      ['*', { allowedHosts: ['*'] }],
      [
        'api.example.com, user_service, [0:0:0:0:0:0:0:1]',
        { allowedHosts: ['api.example.com', 'user_service', '[::1]'] },
      ],
    ],
    rejected: ['x:8080', 'a,', '*.example.com', '999.1.1.1', 'API.example.com'],
  },
  LOG_FORMAT: { accepted: [['json', {}]], rejected: ['JSON'] },
  MIGRATE: { accepted: [['never', { migrating: false }]], rejected: ['Never'] },
  DATABASE_POOL_SIZE: whole(1, 1000, (poolSize) => ({
    database: { poolSize },
  })),
  DATABASE_STATEMENT_TIMEOUT_MS: whole(1, HOUR, (statementTimeoutMs) => ({
    database: { statementTimeoutMs },
  })),
  MAX_CONNECTIONS: limit('connections', 1, 1_000_000),
  REQUEST_TIMEOUT_MS: limit('requestMs'),
  RESPONSE_TIMEOUT_MS: limit('responseMs'),
  IDLE_TIMEOUT_MS: limit('idleMs'),
  DRAIN_MS: limit('drainMs', 0),
  STOP_TIMEOUT_MS: limit('stopMs', 0),
  METRICS_PORT: whole(0, 65_535, (metricsPort) => ({ metricsPort })),
}

describe.each(Object.entries(CASES))('%s', (name, { accepted, rejected }) => {
  test.each(accepted)('%j sets %j', (value, config) => {
    expect(read({ [name]: value })).toMatchObject(config)
  })

  test.runIf(rejected).for(rejected ?? [])(
    'an invalid value is rejected in one line with the variable and what it expects (%j)',
    (invalid) => expectRejection(name, { [name]: invalid }),
  )
})

function expectRejection(name: string, env: Env): void {
  expect(() => read(env)).toThrow(OperatorError)
  expect(() => read(env)).toThrow(new RegExp(`^${name}: expected [^\\n]+$`))
  expect(() => read(env)).not.toThrow(/hunter2/)
}

test('an error that is not about a setting stays as it is, with its stack', () => {
  const error = new TypeError('a defect')
  expect(() => inSetting('PORT')(error)).toThrow(error)
})

const IN_MEMORY = { DATABASE_URL: 'sqlite::memory:' }
const LEVELS = 'one of fatal, error, warn, info, debug, trace, silent'

test.each<[message: string, Env]>([
  [
    'PORT: expected a whole number from 0 to 65535, received "x"',
    { PORT: 'x' },
  ],
  [
    `LOG_LEVEL: expected ${LEVELS}, received "${'x'.repeat(60)}"`,
    { LOG_LEVEL: 'x'.repeat(100) },
  ],
  ...[
    ['HOST', 'an address or a name'],
    ['ALLOWED_HOSTS', '* or names such as api.example.com, without ports'],
    ['CORS_ORIGIN', '* or https://app.example.com'],
  ].map(([name = '', expected]): [string, Env] => [
    `${name}: expected ${expected}, received "a b"`,
    { [name]: 'a b' },
  ]),
  [
    'CORS_CREDENTIALS: expected CORS_ORIGIN with origins, without *',
    { CORS_CREDENTIALS: 'true', CORS_ORIGIN: 'http://x,*' },
  ],
  [
    'DATABASE_URL_FILE: expected the path of a file that can be read and is not empty',
    { DATABASE_URL_FILE: emptyFile },
  ],
  [
    'DATABASE_URL_FILE: expected to be unset when DATABASE_URL is set',
    { ...IN_MEMORY, DATABASE_URL_FILE: urlFile },
  ],
  [
    'METRICS_PORT: expected another port than PORT, received "3000"',
    { METRICS_PORT: '3000' },
  ],
  ...['sqlite:data/users.db', 'postgres://u:hunter2@x/y'].map(
    (DATABASE_URL): [string, Env] => [
      'DATABASE_URL: expected sqlite::memory: with PROFILE=b',
      { PROFILE: 'b', DATABASE_URL },
    ],
  ),
])('the error is "%s" with %o', (message, env) =>
  expect(() => read(env)).toThrow(new OperatorError(message)),
)

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }

test('each setting has its default', () => {
  expect(read({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    corsCredentials: false,
    profileName: 'a',
    logLevel: 'info',
    database: {
      url: 'sqlite:/srv/data/users.db',
      readUrl: expect.any(Function),
      poolSize: 10,
      statementTimeoutMs: 10_000,
    },
    migrating: true,
    limits: {
      connections: 1000,
      requestMs: 30_000,
      responseMs: 30_000,
      idleMs: 65_000,
      drainMs: 0,
      stopMs: 10_000,
    },
    tracing: false,
  })
})

test.each<[Env, config: object]>([
  [{ PORT: '0', METRICS_PORT: '0' }, { metricsPort: 0 }],
  [
    { CORS_CREDENTIALS: 'true', CORS_ORIGIN: 'http://x' },
    { corsCredentials: true },
  ],
  [{ PROFILE: 'b' }, urlIs('sqlite::memory:')],
  [{ PROFILE: 'b', ...IN_MEMORY }, { profileName: 'b' }],
])('%o sets %o', (env, config) => expect(read(env)).toMatchObject(config))

test.each<[Env, tracing: boolean]>([
  [COLLECTOR, true],
  [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://x:1/y' }, true],
  [{ OTEL_TRACES_EXPORTER: 'otlp' }, true],
  [
    {
      ...COLLECTOR,
      OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc',
      OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: 'http/protobuf',
      OTEL_EXPORTER_OTLP_HEADERS: 'a=b,c=d',
      OTEL_EXPORTER_OTLP_TIMEOUT: '100',
      OTEL_EXPORTER_OTLP_COMPRESSION: 'gzip',
      OTEL_EXPORTER_OTLP_CERTIFICATE: urlFile,
      OTEL_RESOURCE_ATTRIBUTES: 'region=north',
    },
    true,
  ],
  [{ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, false],
  [{ ...COLLECTOR, OTEL_TRACES_EXPORTER: 'none' }, false],
  [{ ...COLLECTOR, OTEL_SDK_DISABLED: 'false' }, true],
  [{ ...COLLECTOR, OTEL_SDK_DISABLED: 'TRUE' }, false],
])('with %o, tracing is %s', (env, tracing) =>
  expect(read(env).tracing).toBe(tracing),
)

const FILE = 'the path of a file that can be read'
const PAIRS = 'key=value, separated by commas'
const HTTP_URL = 'an http:// or https:// URL'

describe.each([
  ['TRACES_EXPORTER', 'otlp or none', ['console', 'zipkin', 'otlp,console']],
  ['EXPORTER_OTLP_PROTOCOL', 'http/protobuf', ['grpc', 'http/json']],
  ['EXPORTER_OTLP_ENDPOINT', HTTP_URL, ['localhost:4318', 'collector']],
  ['EXPORTER_OTLP_HEADERS', PAIRS, ['hunter2', 'a=b,hunter2']],
  ['EXPORTER_OTLP_TIMEOUT', 'milliseconds', ['1s', '-1', '0']],
  ['EXPORTER_OTLP_TRACES_COMPRESSION', 'gzip or none', ['zstd']],
  ['EXPORTER_OTLP_CERTIFICATE', FILE, [emptyFile.slice(1), '/nowhere']],
  ['RESOURCE_ATTRIBUTES', PAIRS, ['region']],
])('OTEL_%s', (suffix, expected, rejected) => {
  test.for(rejected)('%j is rejected with a collector', (value) => {
    const name = `OTEL_${suffix}`
    const error = new OperatorError(`${name}: expected ${expected}`)
    expect(() => read({ ...COLLECTOR, [name]: value })).toThrow(error)
  })
})

test('setting a variable to its documented default, or to nothing, changes nothing', () => {
  const configured = (env: Env) => JSON.stringify(read(env))
  for (const [name, schema] of Object.entries(VARIABLES))
    for (const unset of ['', defaultOf(schema) ?? ''])
      expect(configured({ [name]: unset }), name).toBe(configured({}))
})
