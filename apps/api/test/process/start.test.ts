import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { verify } from '@node-rs/argon2'
import { emptyDatabaseForTest, PERSISTENT_ENGINES } from 'testkit/engines.ts'
import { migrate, runService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { expect, onTestFinished, test } from 'vitest'
import { RoleId } from '../../src/ids.ts'
import { startAndStop } from '../support/commands.ts'
import { execute, rowsOf } from '../support/released-database.ts'

const startDemo = (env: Record<string, string>) =>
  startServiceForTest(env, [], ['--demo'])

test.each(PERSISTENT_ENGINES)(
  'start --demo (%s) fills an empty database and serves it, and a second time serves the rows that are there',
  async (engine) => {
    const url = await emptyDatabaseForTest(engine)
    const service = await startDemo({ DATABASE_URL: url })
    const users = (await service.get('/users')).json
    expect(users).toHaveLength(200)
    expect(new Set(users.map(({ name }: { name: string }) => name)).size).toBe(
      200,
    )
    expect(users[1]).toMatchObject({
      name: 'Alan Turing',
      team: { name: 'Payments' },
      roles: [{ name: 'editor' }],
    })
    expect((await service.get('/teams')).json).toHaveLength(12)
    expect((await service.get('/roles')).json).toHaveLength(6)
    const { id } = (await service.post('/teams', { name: 'new' })).json
    expect(
      (await service.get(`/teams?after=${id}`)).json,
      'a new id sorts last',
    ).toEqual([])
    await service.stop()

    const rows = await rowsOf(url)
    expect(
      await verify(
        String(rows.users?.[0]?.password_hash),
        'correct horse battery staple',
      ),
    ).toBe(true)
    const second = await startDemo({ DATABASE_URL: url })
    expect((await second.get('/teams')).json).toHaveLength(13)
    expect(second.logLines.join()).toContain(
      '"database has rows, no demo data stored"',
    )
    await second.stop()
    expect(await rowsOf(url)).toEqual(rows)
  },
)

test('start --demo stores the same rows on every engine, ids included, and in memory', async () => {
  const urls = [
    await emptyDatabaseForTest('sqlite-file'),
    await emptyDatabaseForTest('postgres'),
    'sqlite::memory:',
  ]
  const lists = urls.map(async (DATABASE_URL) =>
    (await startDemo({ DATABASE_URL })).get('/users'),
  )
  expect(new Set((await Promise.all(lists)).map(({ text }) => text)).size).toBe(
    1,
  )
})

test.each([
  ['a', 'Ada Lovelace'],
  ['b', 'Ada'],
])(
  'start --demo names a command to try, which prints a user (PROFILE=%s)',
  async (PROFILE, name) => {
    const DATABASE_URL = 'sqlite::memory:'
    const { logLines } = await startDemo({ DATABASE_URL, PROFILE })
    expect(logLines.join()).toContain('"demo data stored"')
    const { try: command } = JSON.parse(
      logLines.find((line) => line.includes('"listening"')) ?? '',
    )
    const { stdout } = await promisify(execFile)('bash', ['-c', command])
    expect(JSON.parse(stdout)).toMatchObject({ name })
  },
)

test('start --demo stores all rows or none, also beside a role alone, and prints an unexpected error with its stack', async () => {
  const url = await emptyDatabaseForTest('sqlite-file')
  await migrate(url)
  await execute(
    url,
    "create trigger fails before insert on user_roles begin select raise(abort, 'no'); end",
  )
  const { code, stderr } = await runService({ DATABASE_URL: url }, ['--demo'])
  expect(code).toBe(1)
  expect(stderr).toMatch(/ no\n +at /)
  expect((await rowsOf(url)).teams).toEqual([])
  await execute(
    url,
    `drop trigger fails; insert into roles (id, name) values ('${RoleId.example}', 'x')`,
  )
  const { logLines } = await startDemo({ DATABASE_URL: url })
  expect(logLines.join()).toContain('"database has rows, no demo data stored"')
})

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

test('LOG_FORMAT=json writes JSON to a terminal, too', async () => {
  const args = ['-qec', `${process.execPath} ${MAIN} migrate`, '/dev/null']
  const env = { DATABASE_URL: 'sqlite::memory:', LOG_FORMAT: 'json' }
  const { stdout } = await promisify(execFile)('script', args, {
    env: { ...process.env, ...env },
  })
  expect(JSON.parse(stdout).msg).toBe('schema is up to date')
})

test('on a terminal, start --demo prints the database without its password and a command to try, and the log has the paths of requests', async () => {
  // `script` runs a command on a terminal.
  const child = spawn(
    'script',
    ['-qec', `${process.execPath} ${MAIN} start --demo`, '/dev/null'],
    {
      env: {
        ...process.env,
        PORT: '0',
        DATABASE_URL: await emptyDatabaseForTest('postgres'),
        NO_COLOR: '1',
      },
      detached: true,
    },
  )
  const closed = once(child, 'close')
  onTestFinished(async () => {
    process.kill(-(child.pid as number), 'SIGTERM')
    await closed
  })
  let printed = ''
  child.stdout.on('data', (data) => {
    printed += data
  })
  const command = /^ +try +(curl (http.*(\/users\/user-[0-9a-f-]+)))\r$/m
  await expect.poll(() => printed).toMatch(command)
  expect(printed).toMatch(/^ +database +postgres:\/\/[^@]+\r$/m)
  const [, , url = '', path] = command.exec(printed) ?? []
  await fetch(url)
  await expect.poll(() => printed).toContain(`INFO: GET ${path} 200`)
})

const [linkLocal] = Object.entries(networkInterfaces()).flatMap(
  ([zone, addresses = []]) =>
    addresses
      .filter(({ address }) => address.startsWith('fe80:'))
      .map(({ address }) => `${address}%${zone}`),
)

test.skipIf(linkLocal === undefined)(
  'the service listens on a link-local address with its zone',
  () =>
    startAndStop({
      HOST: `${linkLocal}`,
      METRICS_PORT: '0',
      DATABASE_URL: 'sqlite::memory:',
    }),
)
