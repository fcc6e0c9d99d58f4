import { execFile } from 'node:child_process'
import { chown, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import { CompiledQuery } from 'kysely'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROFILES } from '../../src/app.ts'
import { openDatabase } from '../../src/database/open.ts'
import { operatorErrorOf, startAndStop } from '../support/commands.ts'
import { databaseAt } from '../support/listen.ts'

let server: Awaited<ReturnType<typeof startPostgres>>

/**
 * Certificates of two authorities. The authority `trusted` has signed the
 * server's certificate, which is valid for localhost only.
 */
let trusted: string
let foreign: string

beforeAll(async () => {
  server = await startPostgres()
  const client = new pg.Client(server.url)
  await client.connect()
  const folder = (await client.query('show data_directory')).rows[0]
    .data_directory
  trusted = await createAuthority(`${folder}/trusted`)
  foreign = await createAuthority(`${folder}/foreign`)
  await createServerCertificate(`${folder}/server`, `${folder}/trusted`)
  const { uid, gid } = await stat(folder)
  await chown(`${folder}/server.key`, uid, gid)
  await chown(`${folder}/server.crt`, uid, gid)
  await client.query('alter system set ssl = on')
  await client.end()
  await server.pause()
  await server.resume()
})

afterAll(() => server.stop())

const modes: [host: string, options: string, encrypted: boolean][] = [
  ['localhost', '', false],
  ['localhost', 'sslmode=disable', false],
  ['localhost', 'sslmode=prefer', true],
  ['localhost', 'sslmode=require', true],
  ['localhost', 'sslmode=no-verify', true],
  ['localhost', 'sslmode=require&sslrootcert=trusted', true],
  ['localhost', 'sslmode=verify-ca&sslrootcert=trusted', true],
  ['localhost', 'sslmode=verify-full&sslrootcert=trusted', true],
  ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=trusted', true],
]

test.for(modes)(
  'a connection to %s with "%s" succeeds, encrypted: %s',
  async ([host, options, encrypted]) => {
    const { db, close } = await openDatabase(
      databaseAt(urlOf(host, options)),
      PROFILES.a.migrations,
    )
    const statement = CompiledQuery.raw(
      'select ssl from pg_stat_ssl where pid = pg_backend_pid()',
    )
    expect((await db.executeQuery(statement)).rows).toEqual([
      { ssl: encrypted },
    ])
    await close()
  },
)

const rejected: [host: string, options: string, reason: RegExp][] = [
  ['localhost', 'sslmode=verify-full', /certificate/],
  ['localhost', 'sslmode=verify-full&sslrootcert=foreign', /certificate/],
  ['localhost', 'sslmode=require&sslrootcert=foreign', /certificate/],
  ['127.0.0.1', 'sslmode=verify-full&sslrootcert=trusted', /127\.0\.0\.1/],
  ['localhost', 'sslmode=verify-ca', /sslrootcert/],
  [
    'localhost',
    'sslmode=verify-full&sslrootcert=/nowhere.crt',
    /\/nowhere\.crt/,
  ],
]

test.for(rejected)(
  'a connection to %s with "%s" is rejected in one line',
  async ([host, options, reason]) => {
    const message = await operatorErrorOf(
      startAndStop({ DATABASE_URL: urlOf(host, options) }),
    )
    expect(message).toMatch(/^DATABASE_URL: cannot use postgres:\/\//)
    expect(message).toMatch(reason)
  },
)

function urlOf(host: string, options: string): string {
  const url = new URL(server.url)
  url.hostname = host
  url.search = options
    .replace('sslrootcert=trusted', `sslrootcert=${trusted}`)
    .replace('sslrootcert=foreign', `sslrootcert=${foreign}`)
  return url.href
}

const run = promisify(execFile)

async function createAuthority(path: string): Promise<string> {
  await openssl(
    `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=authority -keyout ${path}.key -out ${path}.crt`,
  )
  return `${path}.crt`
}

async function createServerCertificate(
  path: string,
  signedBy: string,
): Promise<void> {
  await openssl(
    `req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${path}.key -out ${path}.csr`,
  )
  await openssl(
    `x509 -req -in ${path}.csr -CA ${signedBy}.crt -CAkey ${signedBy}.key -CAcreateserial -days 1 -copy_extensions copy -out ${path}.crt`,
  )
}

const openssl = (command: string) => run('openssl', command.split(' '))
