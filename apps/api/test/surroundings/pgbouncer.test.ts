import { existsSync } from 'node:fs'
import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  connectForTest,
  databaseForTest,
  folderForTest,
} from 'testkit/engines.ts'
import { AS_NOBODY, startServer } from 'testkit/server.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { freePorts } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = '/usr/sbin/pgbouncer'

async function startPgbouncer(database: string, settings = '') {
  const url = new URL(database)
  const folder = await folderForTest()
  // PgBouncer runs as another account, which must be able to read the folder.
  await chmod(folder, 0o755)
  const [port = 0] = await freePorts(1)
  const userList = join(folder, 'userlist.txt')
  await writeFile(userList, `"${url.username}" "${url.password}"\n`)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `[databases]
* = host=${url.hostname} port=${url.port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = plain
auth_file = ${userList}
${settings}
`,
  )
  const server = await startServer(PROGRAM, [file], 'process up', AS_NOBODY)
  onTestFinished(() => server.stop('SIGKILL'))
  url.port = `${port}`
  return url.href
}

test.skipIf(!existsSync(PROGRAM)).each([
  // The 8 connections of the two services must share 3 server connections.
  { mode: 'transaction', serverConnections: 3 },
  { mode: 'session', serverConnections: 10 },
])(
  'eight clients of two instances read what they have written in $mode mode',
  async ({ mode, serverConnections }) => {
    const DATABASE_URL = await startPgbouncer(
      await databaseForTest('postgres'),
      `pool_mode = ${mode}
default_pool_size = ${serverConnections}
max_client_conn = 1000
ignore_startup_parameters = statement_timeout,lock_timeout,idle_in_transaction_session_timeout`,
    )
    const env = { DATABASE_URL, DATABASE_POOL_SIZE: '4' }
    const [one, two] = await Promise.all([
      startServiceForTest(env),
      startServiceForTest(env),
    ])
    const runClient = async (name: string) => {
      const team = (await one.post('/teams', { name })).json
      const role = (await two.post('/roles', { name })).json
      const email = `${name}@example.com`
      const fields = { email, name, team_id: team.id, password: 'x' }
      const user = (await one.post('/users', fields)).json
      const path = `/users/${user.id}`
      expect(user).toMatchObject({ name, team })
      expect((await two.post('/users', fields)).status).toBe(400)
      const renamed = { ...user, name: `${name} é 😀`, roles: [role] }
      await two.post(`${path}/roles/${role.id}`)
      expect((await one.patch(path, { name: renamed.name })).json).toEqual(
        renamed,
      )
      expect((await two.get(`/users?team_id=${team.id}`)).json).toEqual([
        renamed,
      ])
      expect((await one.delete(path)).status).toBe(204)
      expect((await two.get(path)).status).toBe(404)
    }
    // When `turn` is 2, each client executes statements that other clients have
    // prepared on the same server connection.
    for (const turn of [1, 2])
      await Promise.all(
        Array.from({ length: 8 }, (_, client) =>
          runClient(`client-${client}-${turn}`),
        ),
      )
  },
)

test.skipIf(!existsSync(PROGRAM))(
  'with the defaults of PgBouncer, the service warns once, and its own timeout ends statements',
  async () => {
    const database = await databaseForTest('postgres')
    const DATABASE_URL = await startPgbouncer(database)
    const { get, post, logLines } = await startServiceForTest({
      DATABASE_URL,
      DATABASE_STATEMENT_TIMEOUT_MS: '500',
    })
    const warnings = logLines.filter((line) => line.includes('"level":40'))
    expect(warnings).toEqual([
      expect.stringContaining('ignore_startup_parameters'),
    ])
    const team = (await post('/teams', { name: 'a' })).json
    expect((await get('/teams')).json).toEqual([team])
    const admin = await connectForTest(database)
    await admin.query('begin; lock table teams')
    expect((await get('/teams')).status).toBe(503)
    await admin.query('rollback')
    expect((await get('/teams')).json).toEqual([team])
  },
)
