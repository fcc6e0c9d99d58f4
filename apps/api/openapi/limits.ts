import { TIMEOUT_MS } from '../src/database/group-commit/statements.ts'
import {
  CONNECT_TIMEOUT_MS,
  LOCK_TIMEOUT_MS,
} from '../src/database/postgres.ts'
import { BODY_LIMIT, UNFINISHED_LIMIT } from '../src/http/body.ts'
import { UNREAD_LIMIT } from '../src/http/unread.ts'
import { BUFFER_LIMIT } from '../src/observability/log.ts'
import { QUEUE_LIMIT } from '../src/profile-a/passwords.ts'
import { GRACE_MS, MAX_PIPELINED, RESERVED } from '../src/server/connections.ts'
import {
  createRejections,
  HEADER_LIMIT,
  HEADERS_TIMEOUT_MS,
} from '../src/server/serve.ts'
import { defaultOf, VARIABLES } from '../src/variables.ts'

const count = (number: number) => number.toLocaleString('en')
const seconds = (ms: number) => `${ms / 1000} s`
const bytes = (number: number) =>
  number < 2 ** 20 ? `${number / 2 ** 10} KiB` : `${number / 2 ** 20} MiB`

function setting(name: keyof typeof VARIABLES): string {
  const value = Number(defaultOf(VARIABLES[name]))
  return `${name.endsWith('_MS') ? seconds(value) : count(value)}, \`${name}\``
}

export function limitTable(maxItems: number): string {
  const table = `| limit | value | above it | reason |
| --- | --- | --- | --- |
| size of headers | ${bytes(HEADER_LIMIT)} | 431 | headers |
| time to receive headers | ${seconds(HEADERS_TIMEOUT_MS)} | 408 | slow_request |
| time to receive a request | ${setting('REQUEST_TIMEOUT_MS')} | 408 | slow_request |
| not HTTP, CONNECT, or a request whose end is ambiguous | | 400 | malformed |
| names in Host | ALLOWED_HOSTS | 421 | host |
| concurrent requests | ${setting('MAX_CONNECTIONS')} | 503 | requests |
| pipelined requests without a response | ${count(MAX_PIPELINED)} | the connection is closed | requests |
| time until the response starts, or until the client reads a part of it | ${setting('RESPONSE_TIMEOUT_MS')} | 503, or a closed connection if it started | slow_response |
| open connections | ${setting('MAX_CONNECTIONS')} | a connection is closed, see below | connections |
| … of clients that pause | ${RESERVED}, for ${seconds(GRACE_MS)} | the oldest is closed | |
| … for health checks | ${RESERVED} more | a connection is closed | |
| time without a request | ${setting('IDLE_TIMEOUT_MS')} | the connection is closed | |
| request body | ${bytes(BODY_LIMIT)} | 413, or 415 with Content-Encoding | |
| unfinished request bodies in all | ${bytes(UNFINISHED_LIMIT)} | 503 | |
| unread responses of one list in all | ${count(UNREAD_LIMIT)} characters | 503 | |
| items of a page | ${count(maxItems)} | 422 | |
| registrations that wait for hashing | ${count(QUEUE_LIMIT)} | 503 | |
| wait for a connection to PostgreSQL | ${seconds(CONNECT_TIMEOUT_MS)} | 503 | |
| wait for a row lock on PostgreSQL | ${seconds(LOCK_TIMEOUT_MS)} | 503 | |
| statement on PostgreSQL | ${setting('DATABASE_STATEMENT_TIMEOUT_MS')} | 503 | |
| wait for the lock of a SQLite file | ${seconds(TIMEOUT_MS)} | 503 | |
| log lines that standard output does not accept | ${count(BUFFER_LIMIT)} characters | dropped | |`
  const missing = Object.keys(createRejections()).filter(
    (reason) => !table.includes(`| ${reason} |`),
  )
  if (missing.length > 0) throw new Error(`no limit has the reason ${missing}`)
  return table
}
