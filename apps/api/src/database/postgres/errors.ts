import { UnavailableError } from '../../errors.ts'
import { ConstraintError } from '../errors.ts'

/**
 * Classes of SQLSTATE codes (PostgreSQL, appendix A: the first two characters) that describe the server, the connection
 * or the account instead of the statement. The same request succeeds when the operator or the server has recovered.
 */
const UNAVAILABLE_CLASSES = new Set([
  '08', // connection exception; PgBouncer reports all errors that it raises as 08P01
  '28', // the role may not log in, or the password is wrong
  '53', // too many connections, disk full, out of memory
  '57', // statement timeout, shutdown, starting, database dropped while connected
  '58', // I/O error
  'F0', // error in the server's configuration file
])

/** Single SQLSTATE codes that mean the same, in classes whose other codes describe the statement. */
const UNAVAILABLE_STATES = new Set([
  '25006', // the server is read-only, as a demoted primary is
  '25P03', // the transaction was idle for too long
  '25P04', // transaction_timeout
  '3D000', // the database does not exist
  '40003', // connection lost during COMMIT: it may have completed, so no retry
  '42501', // the role lacks a privilege
  '55000', // the database does not accept connections
  '55006', // the database is in use by a command that needs it alone
  '55P03', // lock_timeout
])

/** Node's error codes for a connection that cannot be opened, or that breaks. */
const UNAVAILABLE_NODE_CODES = new Set([
  // The server is not running, restarts, or closes the connection.
  ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'EOF', 'ENOTCONN', 'ESHUTDOWN', 'EPROTO'],
  ...['ERR_STREAM_DESTROYED', 'ERR_STREAM_WRITE_AFTER_END', 'ERR_STREAM_PREMATURE_CLOSE'],
  ...['ERR_SOCKET_CLOSED', 'ERR_SOCKET_CLOSED_BEFORE_CONNECTION', 'ERR_SOCKET_CONNECTION_TIMEOUT'],
  // A Unix socket without a server (ENOENT), or with a full backlog (EAGAIN).
  ...['ENOENT', 'EAGAIN'],
  // Failures of the network, or a firewall.
  ...[
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'ENONET',
    'EACCES',
    'EPERM',
    'EIO',
  ],
  // The host name has an address of a family, IPv4 or IPv6, that is disabled on this machine.
  ...['EADDRNOTAVAIL', 'EAFNOSUPPORT'],
  // This machine lacks ports, file descriptors or memory.
  ...['EADDRINUSE', 'EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM'],
  // Interrupted.
  ...['EINTR', 'ECANCELED', 'ECANCELLED', 'EAI_CANCELED', 'EDESTRUCTION'],
  // Failures of DNS: codes of getaddrinfo, then of Node's resolver.
  ...['EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'EAI_MEMORY', 'EAI_ADDRFAMILY'],
  ...[
    'ENOTFOUND',
    'ENODATA',
    'ESERVFAIL',
    'EREFUSED',
    'ETIMEOUT',
    'EBADRESP',
    'EFORMERR',
    'ENOTIMP',
    'ENONAME',
  ],
  // The certificate of the server is invalid (Node, TLS: X509 certificate error codes).
  ...['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REVOKED', 'CERT_REJECTED', 'CERT_UNTRUSTED'],
  ...['CERT_SIGNATURE_FAILURE', 'CERT_CHAIN_TOO_LONG', 'HOSTNAME_MISMATCH', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'INVALID_CA', 'INVALID_PURPOSE'],
  ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
  ...['CRL_HAS_EXPIRED', 'CRL_NOT_YET_VALID', 'CRL_SIGNATURE_FAILURE', 'UNABLE_TO_GET_CRL'],
])

/** How messages of the driver's own errors begin. These errors have no code. */
const UNAVAILABLE_MESSAGES = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'timeout expired',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Cannot use a pool after calling end on the pool',
  'The server does not support SSL connections',
  'There was an error establishing an SSL connection',
  'SASL: ', // the password is wrong, or the driver does not support the authentication method
]

/** The class of SQLSTATE codes for violated constraints. */
const CONSTRAINT_CLASS = '23'

/**
 * SQLSTATE codes of a prepared statement that does not exist on this connection, or that another client has prepared on
 * it. Both come from a pooler that changes the server connection between statements, such as PgBouncer in transaction
 * mode. The server did not run the statement.
 */
const NAME_CONFLICTS = new Set(['26000', '42P05'])

/**
 * SQLSTATE codes of a transaction that the server rolled back because of a concurrent one: rollback, serialization
 * failure (on a standby also a conflict with recovery) and deadlock. The last four occur when two processes create the
 * migration tables at the same time: duplicate in the catalogue (23505 as the driver's own error, not as a
 * ConstraintError), duplicate table, duplicate type, and a transaction aborted by one of these errors.
 */
const RETRYABLE = new Set(['40000', '40001', '40P01', '23505', '42P07', '42710', '25P02'])

/** Returns an error as a ConstraintError or an UnavailableError. Returns any other error unchanged. */
export function toDatabaseError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof UnavailableError) return error
  const code = codeOf(error)
  if (code?.startsWith(CONSTRAINT_CLASS))
    return new ConstraintError((error as { constraint?: string }).constraint, error)
  if (!isUnavailable(code, error.message)) return error
  return new UnavailableError(code ?? error.message, { cause: error })
}

/** Returns whether the transaction may be run again. */
export const isRetryable = (error: unknown) =>
  RETRYABLE.has(codeOf(error) ?? '') || isPreparationInvalid(error)

/** Returns whether a table or type exists already. In the last attempt, that means another program created it. */
export const isDuplicate = (error: unknown) => ['42P07', '42710'].includes(codeOf(error) ?? '')

/**
 * Returns whether the statement must be prepared again. Either the pooler has chosen another connection than the one
 * that prepared it, or the type of a column has changed ("cached plan must not change result type"). In both cases, the
 * server did not run the statement.
 */
export const isPreparationInvalid = (error: unknown) =>
  NAME_CONFLICTS.has(codeOf(error) ?? '') ||
  (error as { routine?: string } | null)?.routine === 'RevalidateCachedQuery'

function isUnavailable(code: string | undefined, message: string): boolean {
  if (code === undefined) return UNAVAILABLE_MESSAGES.some((start) => message.startsWith(start))
  if (UNAVAILABLE_CLASSES.has(code.slice(0, 2))) return true
  // OpenSSL has a code for each of its errors.
  return UNAVAILABLE_STATES.has(code) || UNAVAILABLE_NODE_CODES.has(code) || code.startsWith('ERR_SSL_')
}

/** SQLSTATE codes: the statement ran or waited for a lock too long, or the role lacks a privilege for it. */
const ROLLED_BACK = new Set(['57014', '55P03', '42501'])

/** Returns whether the server rejected only this statement: nothing is stored, and the connection works. */
export const isRolledBack = (error: unknown) => ROLLED_BACK.has(codeOf(error) ?? '')

const codeOf = (error: unknown) => (error as { code?: string } | null)?.code
