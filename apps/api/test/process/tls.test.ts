import { execFile } from 'node:child_process'
import { chown, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PROFILES } from '../../src/config/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/database.ts'
import { startPostgres } from '../support/postgres.ts'
import { runService } from '../support/process.ts'

let server: Awaited<ReturnType<typeof startPostgres>>

/** Certificates of two authorities. The server's own is signed by `ours`, and for localhost alone. */
let ours: string
let theirs: string

beforeAll(async () => {
  server = await startPostgres()
  const client = new pg.Client(server.url)
  await client.connect()
  const folder = (await client.query('show data_directory')).rows[0].data_directory
  ours = await authority(`${folder}/ours`)
  theirs = await authority(`${folder}/theirs`)
  await serverCertificate(`${folder}/server`, `${folder}/ours`)
  const { uid, gid } = await stat(folder)
  await chown(`${folder}/server.key`, uid, gid)
  await chown(`${folder}/server.crt`, uid, gid)
  await client.query('alter system set ssl = on')
  await client.end()
  await server.pause()
  await server.resume()
}, 30_000)

afterAll(() => server.stop())

const modes: [host: string, options: string, encrypted: boolean][] = [
  ['localhost', '', false],
  ['localhost', 'sslmode=disable', false],
  ['localhost', 'sslmode=prefer', true],
  ['localhost', 'sslmode=require', true],
  ['localhost', 'sslmode=no-verify', true],
  ['localhost', 'sslmode=require&sslrootcert=ours', true],
  ['localhost', 'sslmode=verify-ca&sslrootcert=ours', true],
  ['localhost', 'sslmode=verify-full&sslrootcert=ours', true],
  ['127.0.0.1', 'sslmode=require&sslrootcert=ours', true],
  ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=ours', true],
]

test.for(modes)('to %s with "%s": connects, encrypted: %s', async ([host, options, encrypted]) => {
  const db = await openDatabase(databaseAt(urlOf(host, options)), PROFILES.a.migrations)
  const statement = { sql: 'select ssl from pg_stat_ssl where pid = pg_backend_pid()', name: '' }
  expect(await db.execute(statement, [])).toEqual([{ ssl: encrypted }])
  await db.close()
})

const refused: [host: string, options: string, reason: RegExp][] = [
  ['localhost', 'sslmode=verify-full', /certificate/],
  ['localhost', 'sslmode=verify-full&sslrootcert=theirs', /certificate/],
  ['localhost', 'sslmode=verify-ca&sslrootcert=theirs', /certificate/],
  ['localhost', 'sslmode=require&sslrootcert=theirs', /certificate/],
  ['127.0.0.1', 'sslmode=verify-full&sslrootcert=ours', /127\.0\.0\.1/],
  ['localhost', 'sslmode=verify-ca', /sslrootcert/],
  ['localhost', 'sslmode=verify-full&sslrootcert=/nowhere.crt', /\/nowhere\.crt/],
  ['localhost', 'sslmode=requre', /sslmode: expected one of disable, prefer, require/],
]

test.for(refused)('to %s with "%s": is refused in one line', async ([host, options, reason]) => {
  const { code, stderr } = await runService({ DATABASE_URL: urlOf(host, options), PORT: '0' })
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^DATABASE_URL: cannot use postgres:\/\/[^\n]+\n$/),
  })
  expect(stderr).toMatch(reason)
})

function urlOf(host: string, options: string): string {
  const url = new URL(server.url)
  url.hostname = host
  url.search = options
    .replace('sslrootcert=ours', `sslrootcert=${ours}`)
    .replace('sslrootcert=theirs', `sslrootcert=${theirs}`)
  return url.href
}

const run = promisify(execFile)

/** Makes a certificate that signs others, and returns its file. */
async function authority(path: string): Promise<string> {
  await openssl(
    `req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=authority -keyout ${path}.key -out ${path}.crt`,
  )
  return `${path}.crt`
}

async function serverCertificate(path: string, signedBy: string): Promise<void> {
  await openssl(
    `req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${path}.key -out ${path}.csr`,
  )
  await openssl(
    `x509 -req -in ${path}.csr -CA ${signedBy}.crt -CAkey ${signedBy}.key -CAcreateserial -days 1 -copy_extensions copy -out ${path}.crt`,
  )
}

const openssl = (command: string) => run('openssl', command.split(' '))
