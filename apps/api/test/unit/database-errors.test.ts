import dns from 'node:dns'
import { getSystemErrorMap } from 'node:util'
import { describe, expect, test } from 'vitest'
import {
  isUnavailable,
  onConstraint,
} from '../../src/database/driver-errors.ts'
import { reasonOf } from '../../src/database/open.ts'

const withCode = (message: string, code: string) =>
  Object.assign(new Error(message), { code })
const unavailable = (codes: readonly string[]) =>
  codes.filter((code) => isUnavailable(withCode('message', code)))

function expectUnavailable(list: string): void {
  const codes = list.split(' ')
  expect(unavailable(codes)).toEqual(codes)
}

describe('an error is temporary', () => {
  test('when PostgreSQL says so', () => {
    expectUnavailable(
      '08006 28P01 3D000 42501 40001 55P03 53300 57P01 25P03 25P04 58030 F0000 25006 55000 55006',
    )
  })

  test('when a socket, DNS or TLS fails: each code of Node', () => {
    const system = [...getSystemErrorMap().values()]
      .map(([code]) => code)
      .filter((code) => /^E[A-Z_]+$/.test(code)) // also matches EAI_AGAIN
    const names = Object.values(dns).filter(
      (value) => typeof value === 'string' && /^E[A-Z]+$/.test(value),
    )
    const codes = [...system, ...names] as string[]
    expect(codes.length).toBeGreaterThan(50)
    expect(unavailable(codes)).toEqual(codes)
    expectUnavailable(
      'SELF_SIGNED_CERT_IN_CHAIN UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_SSL_WRONG_VERSION_NUMBER ERR_TLS_CERT_ALTNAME_INVALID ERR_SOCKET_CLOSED ERR_STREAM_WRITE_AFTER_END CRL_HAS_EXPIRED HOSTNAME_MISMATCH',
    )
  })

  test('when SQLite cannot write or read its file', () => {
    expectUnavailable(
      'SQLITE_BUSY SQLITE_LOCKED SQLITE_FULL SQLITE_IOERR_FSYNC SQLITE_READONLY SQLITE_CANTOPEN',
    )
  })

  test.each([
    'Connection terminated unexpectedly',
    'timeout expired',
    'Query read timeout',
    'Client was closed and is not queryable',
    'Client has encountered a connection error and is not queryable',
    'The server does not support SSL connections',
    'There was an error establishing an SSL connection',
    'Cannot use a pool after calling end on the pool',
    'SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string',
  ])('when an error of the driver without a code is: %s', (message) => {
    expect(isUnavailable(new Error(message))).toBe(true)
  })
})

test('every other error is not temporary', () => {
  const codes =
    '00000 0A000 22001 23505 25001 25P02 26000 42601 42P05 XX000 SQLITE_CONSTRAINT_UNIQUE SQLITE_ERROR SQLITE_CORRUPT ERR_INVALID_ARG_TYPE'
  expect(unavailable(codes.split(' '))).toEqual([])
  const others = [new Error('Something else'), undefined, null, 'ECONNRESET']
  expect(others.filter(isUnavailable)).toEqual([])
})

test('a violated constraint that the handler does not name is rethrown', () => {
  const error = Object.assign(new Error(), { constraint: 'toString' })
  expect(() => onConstraint(error, { a_key: 1 })).toThrow(error)
})

test.each([
  [
    new AggregateError([new Error('connect ::1:1'), new Error()]),
    'connect ::1:1',
  ],
  [new Error('a', { cause: new Error('b\nc\nd') }), 'a: b c d'],
  [new Error('a', { cause: new Error('a') }), 'a'],
  [withCode('file is locked', 'SQLITE_BUSY'), 'SQLITE_BUSY: file is locked'],
  [withCode('read ECONNRESET', 'ECONNRESET'), 'read ECONNRESET'],
  ['not an error object', 'not an error object'],
  [new Error('ENOTFOUND db\r'), 'ENOTFOUND db\\r'],
])('the reason of %s is one line: %s', (error, reason) => {
  expect(reasonOf(error)).toBe(reason)
})
