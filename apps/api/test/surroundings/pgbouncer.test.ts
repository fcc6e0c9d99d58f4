import { existsSync } from 'node:fs'
import { chmod, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { REPOSITORY } from 'testkit/documents.ts'
import { databaseForTest, folderForTest } from 'testkit/engines.ts'
import { AS_NOBODY, startServer } from 'testkit/server.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { freePorts } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'

const PROGRAM = '/usr/sbin/pgbouncer'

const page = await readFile(
  new URL('docs/operations/databases.md', REPOSITORY),
  'utf8',
)
const [, AS_DOCUMENTED = 'missing'] = /^```ini\n(.*?)^```$/ms.exec(page) ?? []
const SERVER =
  '[pgbouncer]\nlisten_addr = 127.0.0.1\nauth_type = scram-sha-256\n'

async function startPgbouncer(database: string, settings: string) {
  const url = new URL(database)
  const folder = await folderForTest()
  await chmod(folder, 0o755)
  const [port = 0] = await freePorts(1)
  const userList = join(folder, 'userlist.txt')
  await writeFile(userList, `"${url.username}" "${url.password}"\n`)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(
    file,
    `${settings}
listen_port = ${port}
unix_socket_dir =
auth_file = ${userList}
[databases]
* = host=${url.hostname} port=${url.port}
`,
  )
  const server = await startServer(PROGRAM, [file], 'process up', AS_NOBODY)
  onTestFinished(() => server.stop('SIGKILL'))
  url.port = `${port}`
  return url.href
}

test.skipIf(!existsSync(PROGRAM)).each([
  { mode: 'transaction', serverConnections: 3 },
  { mode: 'session', serverConnections: 10 },
])(
  'behind PgBouncer in transaction or session mode, clients of two instances read what they have written ($mode)',
  async ({ mode, serverConnections }) => {
    const DATABASE_URL = await startPgbouncer(
      await databaseForTest('postgres'),
      `${SERVER}${AS_DOCUMENTED}
pool_mode = ${mode}
default_pool_size = ${serverConnections}`,
    )
    const env = { DATABASE_URL, DATABASE_POOL_SIZE: '4' }
    const one = await startServiceForTest(env)
    const two = await startServiceForTest(env)
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
      const patched = await one.patch(path, { name: renamed.name })
      expect(patched.json).toEqual(renamed)
      const listed = await two.get(`/users?team_id=${team.id}`)
      expect(listed.json).toEqual([renamed])
      expect((await one.delete(path)).status).toBe(204)
      expect((await two.get(path)).status).toBe(404)
    }
    // In the second turn, each client executes statements that other clients
    // prepared on the same server connection.
    for (const turn of [1, 2]) {
      const names = [...'abcdefgh'].map((client) => client + turn)
      await Promise.all(names.map(runClient))
    }
    expect(one.logLines.join()).not.toContain('ignore_startup_parameters')
  },
)

test.skipIf(!existsSync(PROGRAM))(
  'without ignore_startup_parameters, the service works, and warns once',
  async () => {
    const DATABASE_URL = await startPgbouncer(
      await databaseForTest('postgres'),
      SERVER + AS_DOCUMENTED.replace(/^ignore_startup_parameters.*\n/m, ''),
    )
    const { get, post, logLines } = await startServiceForTest({ DATABASE_URL })
    const warnings = logLines.filter((line) => line.includes('"level":40'))
    expect(warnings).toEqual([
      expect.stringContaining('ignore_startup_parameters'),
    ])
    const team = (await post('/teams', { name: 'a' })).json
    expect((await get('/teams')).json).toEqual([team])
  },
)
