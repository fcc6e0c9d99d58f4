import { execFileSync } from 'node:child_process'
import { chown, stat } from 'node:fs/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openForTest } from '../support/http-fixture.ts'
import { operatorErrorOf } from '../support/listen.ts'

let server: Awaited<ReturnType<typeof startPostgres>>
let folder: string

const CERTIFICATES = `
  for name in trusted foreign; do
    openssl req -x509 -newkey rsa:2048 -nodes -days 1 -subj /CN=authority -keyout $name.key -out $name.crt
  done
  openssl req -newkey rsa:2048 -nodes -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:0.0.0.0 -keyout server.key -out server.csr
  openssl x509 -req -in server.csr -CA trusted.crt -CAkey trusted.key -CAcreateserial -days 1 -copy_extensions copy -out server.crt`

beforeAll(async () => {
  server = await startPostgres()
  const client = new pg.Client(server.url)
  await client.connect()
  const { rows } = await client.query('show data_directory')
  folder = rows[0].data_directory
  execFileSync('sh', ['-euc', CERTIFICATES], { cwd: folder, stdio: 'ignore' })
  const { uid, gid } = await stat(folder)
  for (const name of ['server.key', 'server.crt'])
    await chown(`${folder}/${name}`, uid, gid)
  await client.query('alter system set ssl = on')
  await client.end()
  await server.pause()
  await server.resume()
})

afterAll(() => server.stop())

function urlOf(host: string, options: string): string {
  const url = new URL(server.url)
  url.hostname = host
  url.search = options.replace(
    /sslrootcert=(\w+)/,
    `sslrootcert=${folder}/$1.crt`,
  )
  return url.href
}

const CASES: [host: string, options: string, outcome: boolean | string][] = [
  ['localhost', '', false],
  ['localhost', 'sslmode=disable', false],
  ['localhost', 'sslmode=prefer', true],
  ['localhost', 'sslmode=require', true],
  ['localhost', 'sslmode=no-verify', true],
  ['localhost', 'sslmode=verify-full&sslrootcert=trusted', true],
  ['127.0.0.1', 'sslmode=verify-ca&sslrootcert=trusted', true],
  ['0.0.0.0', 'sslrootcert=trusted', true],
  ['localhost', 'sslmode=verify-full', 'certificate'],
  ['localhost', 'sslmode=require&sslrootcert=foreign', 'certificate'],
  ['127.0.0.1', 'sslmode=verify-full&sslrootcert=trusted', '127.0.0.1'],
  ['localhost', 'sslmode=verify-full&sslrootcert=nowhere', 'nowhere.crt'],
]

test.each(CASES)(
  'a connection is encrypted as sslmode says, or rejected in one line (%s, %s: %s)',
  async (host, options, outcome) => {
    const connecting = openForTest(urlOf(host, options))
    if (typeof outcome === 'string') {
      const message = await operatorErrorOf(connecting)
      expect(message.replace(/^.*?\/postgres: /, '')).toContain(outcome)
      return
    }
    const { db, warnings } = await connecting
    expect(warnings).toEqual([])
    const query = sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`
    expect((await query.execute(db)).rows).toEqual([{ ssl: outcome }])
  },
)
