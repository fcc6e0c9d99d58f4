import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { readConfig } from '../src/config/config.ts'
import { PROFILES } from '../src/config/variables.ts'
import { sqlite } from '../src/database/sqlite/engine.ts'
import { OperatorError } from '../src/errors.ts'

test('an empty environment gives the defaults', () => {
  expect(readConfig({}, '/srv')).toEqual({
    port: 3000,
    host: '127.0.0.1',
    profileName: 'a',
    profile: PROFILES.a,
    database: {
      engine: sqlite,
      url: 'sqlite:/srv/data/users.db',
      poolSize: 10,
      connectTimeoutMs: 5000,
      statementTimeoutMs: 10_000,
    },
    migrating: true,
    workers: 1,
    settings: { hashing: { concurrency: availableParallelism(), queueLimit: 100 } },
    limits: {
      connections: 1000,
      requests: 1000,
      requestsPerConnection: 0,
      headerBytes: 16_384,
      headers: 100,
      headersMs: 10_000,
      requestMs: 30_000,
      responseMs: 30_000,
      idleMs: 65_000,
      drainMs: 0,
      stopMs: 10_000,
    },
    metrics: undefined,
    tracing: false,
    logLevel: 'info',
  })
})

test('a variable that is set to nothing counts as not set', () => {
  expect(readConfig({ PORT: '', DATABASE_URL: '' }, '/srv')).toEqual(readConfig({}, '/srv'))
})

test('every variable is honoured', () => {
  const env = { PORT: '0', HOST: '::1', PROFILE: 'a', DATABASE_URL: 'sqlite:/tmp/x.db', LOG_LEVEL: 'silent' }
  expect(readConfig(env, '/srv')).toMatchObject({
    port: 0,
    host: '::1',
    database: { url: 'sqlite:/tmp/x.db' },
    logLevel: 'silent',
  })
  expect(readConfig({ DATABASE_URL: 'sqlite::memory:' }, '/srv').database.url).toBe('sqlite::memory:')
})

test.for([
  ['PORT', 'abc'],
  ['PORT', '-1'],
  ['PORT', '65536'],
  ['PORT', '80.5'],
  ['PORT', '0x50'],
  ['PORT', ' 80'],
  ['PROFILE', 'c'],
  ['PROFILE', 'A'],
  ['LOG_LEVEL', 'loud'],
  ['DATABASE_URL', 'users.db'],
  ['DATABASE_URL', 'sqlite:'],
  ['DATABASE_URL', 'mysql://root:hunter2@db/users'],
] as const)('%s=%s is refused in one line that names the variable and what it takes', ([name, value]) => {
  const read = () => readConfig({ [name]: value }, '/srv')
  expect(read).toThrow(OperatorError)
  expect(read).toThrow(new RegExp(`^${name}: expected [^\\n]+$`))
  expect(read).not.toThrow(/hunter2/)
})
