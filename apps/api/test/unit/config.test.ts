import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { PROFILES } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { inSetting, OperatorError } from '../../src/errors.ts'
import { defaultOf, VARIABLES } from '../../src/variables.ts'

type Env = Record<string, string>
type Name = keyof typeof VARIABLES

const ROOT = '/srv'

const folder = mkdtempSync(join(tmpdir(), 'api-config-'))
afterAll(() => rmSync(folder, { recursive: true }))
const urlFile = join(folder, 'url')
writeFileSync(urlFile, 'sqlite:/tmp/of-file.db\n')
const emptyFile = join(folder, 'empty')
writeFileSync(emptyFile, '\n')

const read = (env: Env) => readConfig(env, ROOT)

/** Removes the function `readUrl`, which is a new one in each configuration. */
const plain = ({
  database: { readUrl: _, ...database },
  ...rest
}: ReturnType<typeof read>) => ({
  ...rest,
  database,
})

test('an empty environment yields the defaults', () => {
  expect(read({})).toEqual({
    port: 3000,
    host: '127.0.0.1',
    allowedHosts: undefined,
    profileName: 'a',
    profile: PROFILES.a,
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
    metricsPort: undefined,
    tracing: false,
    corsOrigins: undefined,
    logLevel: 'info',
  })
})

/**
 * For every variable: a value, what it changes in the configuration, and values
 * that are rejected. The limits of whole numbers are tested below. A new
 * variable does not compile without an entry.
 */
const CASES: Record<
  Name,
  { value: string; config: object; rejected?: string[] }
> = {
  PORT: { value: '65535', config: { port: 65_535 } },
  HOST: { value: '::1', config: { host: '::1' } }, // `listen` checks HOST later
  PROFILE: {
    value: 'b',
    config: { profileName: 'b', profile: PROFILES.b },
    rejected: ['c', 'A'],
  },
  DATABASE_URL: {
    value: 'sqlite:/tmp//a ~b/file:c/:memory:d/e-wal/x.db',
    config: {
      database: { url: 'sqlite:/tmp/a ~b/file:c/:memory:d/e-wal/x.db' },
    },
    rejected: [
      'sqlite::memory:?cache=shared',
      'sqlite:users.db?mode=ro',
      'sqlite:///:memory:',
      'sqlite:memory:',
      'sqlite:data/',
      'sqlite:file:users.db',
      'sqlite:~/users.db',
      'sqlite: /data/users.db',
      ...['-wal', '-shm', '-journal'].map(
        (suffix) => `sqlite:users.db${suffix}`,
      ),
      'sqlite:USERS.DB-WAL',
      'users.db',
      'sqlite:',
      'mysql://root:hunter2@db/users',
    ],
  },
  DATABASE_URL_FILE: {
    value: urlFile,
    config: { database: { url: 'sqlite:/tmp/of-file.db' } },
    rejected: [
      '/nowhere/secret',
      '/',
      'postgres://app:hunter2@db/users',
      emptyFile,
    ],
  },
  LOG_LEVEL: {
    value: 'silent',
    config: { logLevel: 'silent' },
    rejected: ['loud', 'INFO'],
  },
  CORS_ORIGIN: {
    value: 'https://app.example.com, http://localhost:5173',
    config: {
      corsOrigins: ['https://app.example.com', 'http://localhost:5173'],
    },
    rejected: [
      'null',
      'app.example.com',
      'https://app.example.com/',
      'https://*.example.com',
      'http://x,',
      'HTTPS://APP.example.com',
      'https://app.example.com:99999',
      'https://[::1',
      'https://ada@app.example.com',
      'https://app.example.com?x',
      'https://app.example.com#x',
    ],
  },
  ALLOWED_HOSTS: {
    value: 'api.example.com, user_service, [0:0:0:0:0:0:0:1]',
    config: { allowedHosts: ['api.example.com', 'user_service', '[::1]'] },
    rejected: [
      'api.example.com:8080',
      'https://api.example.com',
      'a,',
      '*.example.com',
      '999.1.1.1',
      'API.example.com',
    ],
  },
  // Not part of the configuration: commands/run.ts reads LOG_FORMAT.
  LOG_FORMAT: { value: 'json', config: {}, rejected: ['JSON', 'text'] },
  MIGRATE: {
    value: 'never',
    config: { migrating: false },
    rejected: ['always', 'Never'],
  },
  DATABASE_POOL_SIZE: { value: '3', config: { database: { poolSize: 3 } } },
  DATABASE_STATEMENT_TIMEOUT_MS: {
    value: '1234',
    config: { database: { statementTimeoutMs: 1234 } },
  },
  MAX_CONNECTIONS: { value: '7', config: { limits: { connections: 7 } } },
  REQUEST_TIMEOUT_MS: { value: '7', config: { limits: { requestMs: 7 } } },
  RESPONSE_TIMEOUT_MS: { value: '7', config: { limits: { responseMs: 7 } } },
  IDLE_TIMEOUT_MS: { value: '7', config: { limits: { idleMs: 7 } } },
  DRAIN_MS: { value: '7', config: { limits: { drainMs: 7 } } },
  STOP_TIMEOUT_MS: { value: '7', config: { limits: { stopMs: 7 } } },
  METRICS_PORT: {
    value: '9090',
    config: { metricsPort: 9090 },
    rejected: ['x', '65536', '3000'], // 3000 is the default of PORT
  },
}

test('every variable is tested, and has a description for the table of the documentation', () => {
  expect(Object.keys(CASES).sort()).toEqual(Object.keys(VARIABLES).sort())
  const described = Object.entries(VARIABLES).filter(
    ([, { description }]) => description,
  )
  expect(described.map(([name]) => name)).toEqual(Object.keys(VARIABLES))
  expect(
    Object.fromEntries(
      wholeNumbers.map(({ name, min, max }) => [name, [min, max]]),
    ),
  ).toEqual({
    PORT: [0, 65_535],
    METRICS_PORT: [0, 65_535],
    DATABASE_POOL_SIZE: [1, 1000],
    DATABASE_STATEMENT_TIMEOUT_MS: [1, 3_600_000],
    MAX_CONNECTIONS: [1, 1_000_000],
    REQUEST_TIMEOUT_MS: [1, 3_600_000],
    RESPONSE_TIMEOUT_MS: [1, 3_600_000],
    IDLE_TIMEOUT_MS: [1, 3_600_000],
    DRAIN_MS: [0, 3_600_000],
    STOP_TIMEOUT_MS: [0, 3_600_000],
  })
})

describe.each(Object.entries(CASES))(
  '%s',
  (name, { value, config, rejected = [] }) => {
    test(`${JSON.stringify(value)} changes the configuration`, () => {
      if (Object.keys(config).length > 0)
        expect(read({})).not.toMatchObject(config)
      expect(read({ [name]: value })).toMatchObject(config)
    })

    test.runIf(rejected.length > 0).for(rejected)(
      '%j is rejected in one line that names the variable and what it expects',
      (invalid) => expectRejection(name, { [name]: invalid }),
    )
  },
)

function expectRejection(name: string, env: Env): void {
  expect(() => read(env), env[name]).toThrow(OperatorError)
  expect(() => read(env), env[name]).toThrow(
    new RegExp(`^${name}: expected [^\\n]+$`),
  )
  expect(() => read(env), env[name]).not.toThrow(/hunter2/)
}

const wholeNumbers = Object.keys(VARIABLES).flatMap((name) => {
  const [, min, max] =
    /: expected a whole number from (\d+) to (\d+)/.exec(messageFor(name)) ?? []
  return min && max ? [{ name, min: Number(min), max: Number(max) }] : []
})

/**
 * Returns the error for a value that no variable accepts, or '' if the variable
 * accepts any string.
 */
function messageFor(name: string): string {
  try {
    read({ [name]: '\0' })
    return ''
  } catch (error) {
    return String(error)
  }
}

test.each(wholeNumbers)(
  '$name accepts $min and $max, and nothing beyond',
  ({ name, min, max }) => {
    for (const valid of [min, max])
      expect(() => read({ [name]: `${valid}` }), `${valid}`).not.toThrow()
    for (const invalid of [
      min - 1,
      max + 1,
      `${min}.5`,
      ` ${min}`,
      `0x${max}`,
      `${min}e0`,
      'four',
    ])
      expectRejection(name, { [name]: `${invalid}` })
  },
)

test('an error quotes 60 characters of the value', () => {
  expect(() => read({ LOG_LEVEL: 'x'.repeat(100) })).toThrow(
    `, received "${'x'.repeat(60)}"`,
  )
})

test('an error that is not about a setting stays as it is, with its stack', () => {
  const error = new TypeError('a defect')
  expect(() => inSetting('PORT')(error)).toThrow(error)
})

test('DATABASE_URL and DATABASE_URL_FILE cannot both be set', () => {
  const DATABASE_URL = 'sqlite::memory:'
  expectRejection('DATABASE_URL_FILE', {
    DATABASE_URL,
    DATABASE_URL_FILE: urlFile,
  })
})

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://localhost:4318' }

test.each<[what: string, Env, config: object]>([
  ['every origin is allowed', { CORS_ORIGIN: '*' }, { corsOrigins: ['*'] }],
  [
    'each picks a free port',
    { PORT: '0', METRICS_PORT: '0' },
    { port: 0, metricsPort: 0 },
  ],
  [
    'an exporter disables tracing',
    { ...COLLECTOR, OTEL_TRACES_EXPORTER: 'none' },
    { tracing: false },
  ],
  [
    'tracing is not disabled',
    { ...COLLECTOR, OTEL_SDK_DISABLED: 'false' },
    { tracing: true },
  ],
  [
    'the SDK disables tracing',
    { ...COLLECTOR, OTEL_SDK_DISABLED: 'TRUE' },
    { tracing: false },
  ],
  [
    'an exporter enables tracing',
    { OTEL_TRACES_EXPORTER: 'otlp' },
    { tracing: true },
  ],
  ['a collector enables tracing', COLLECTOR, { tracing: true }],
  [
    'a collector of spans does',
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://x:1/y' },
    { tracing: true },
  ],
  ['any host may be named', { ALLOWED_HOSTS: '*' }, { allowedHosts: ['*'] }],
  [
    'schemes of apps are origins',
    { CORS_ORIGIN: 'capacitor://localhost' },
    { corsOrigins: ['capacitor://localhost'] },
  ],
  [
    'origins are compared as browsers send them',
    { CORS_ORIGIN: 'https://bücher.example:443,http://[0:0::1]:80' },
    { corsOrigins: ['https://xn--bcher-kva.example', 'http://[::1]'] },
  ],
])('%s: %o', (_, env, config) => expect(read(env)).toMatchObject(config))

// Names with characters that better-sqlite3 removes: the service would watch
// another file than SQLite writes.
test.each([
  ['sqlite:users.db\r', 'sqlite:/srv/users.db'],
  ['sqlite:users.db \n', 'sqlite:/srv/users.db'],
  [' sqlite::memory:\u00a0', 'sqlite::memory:'],
  ['postgres://app@localhost/users ', 'postgres://app@localhost/users'],
])(
  'DATABASE_URL=%j, as a file with CRLF contains it, is read without space at its ends',
  (value, url) => {
    expect(read({ DATABASE_URL: value }).database.url).toBe(url)
  },
)

describe('PROFILE=b', () => {
  test.for([undefined, '', 'sqlite::memory:'])(
    'keeps its records in memory with DATABASE_URL=%s',
    (url) => {
      const config = readConfig({ PROFILE: 'b', DATABASE_URL: url }, '/root')
      expect(config).toMatchObject({
        profileName: 'b',
        database: { url: 'sqlite::memory:' },
      })
    },
  )

  test.for([
    'sqlite:data/users.db',
    'postgres://user:secret@localhost/users',
    'x',
  ])('is rejected with DATABASE_URL=%s', (url) => {
    const read = () => readConfig({ PROFILE: 'b', DATABASE_URL: url }, '/root')
    expect(read).toThrow(
      'DATABASE_URL: expected sqlite::memory: with PROFILE=b',
    )
  })
})

test('setting a variable to its documented default, or to nothing, changes nothing', () => {
  for (const [name, schema] of Object.entries(VARIABLES))
    for (const unset of ['', defaultOf(schema) ?? ''])
      expect(plain(read({ [name]: unset })), name).toEqual(plain(read({})))
})
