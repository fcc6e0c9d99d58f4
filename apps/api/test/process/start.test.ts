import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { verify } from '@node-rs/argon2'
import {
  databaseForTest,
  emptyDatabaseForTest,
  PERSISTENT_ENGINES,
} from 'testkit/engines.ts'
import { runService } from 'testkit/process.ts'
import { collect } from 'testkit/server.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { freePorts, sendRaw, statusesIn } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import { RoleId } from '../../src/ids.ts'
import { startAndStop } from '../support/listen.ts'
import { execute, rowsOf } from '../support/released-database.ts'

const MAIN =
  process.env.BUNDLED_SERVICE ??
  fileURLToPath(new URL('../../src/main.ts', import.meta.url))
const MEMORY = 'sqlite::memory:'

const onLinux = test.skipIf(process.platform !== 'linux')

const NOT_EMPTY = '"database has rows, no demo data stored"'

test('start --demo stores the same rows on every engine, ids included, and a second time none', async () => {
  const lists: string[] = []
  for (const engine of PERSISTENT_ENGINES) {
    const DATABASE_URL = await emptyDatabaseForTest(engine)
    const first = await startServiceForTest({ DATABASE_URL }, [], ['--demo'])
    const { text, json: users } = await first.get('/users')
    lists.push(text)
    expect(users).toHaveLength(200)
    expect(users[1]).toMatchObject({
      name: 'Alan Turing',
      team: { name: 'Payments' },
      roles: [{ name: 'editor' }],
    })
    expect(users.at(-1)).toMatchObject({ team: null })
    const { id } = (await first.post('/teams', { name: 'sorts last' })).json
    expect((await first.get(`/teams?after=${id}`)).json).toEqual([])
    await first.stop()

    const rows = await rowsOf(DATABASE_URL)
    const hash = String(rows.users?.[0]?.password_hash)
    expect(await verify(hash, 'correct horse battery staple')).toBe(true)
    expect(await startAndStop({ DATABASE_URL }, { demo: true })).toContain(
      NOT_EMPTY,
    )
    expect(await rowsOf(DATABASE_URL)).toEqual(rows)
  }
  expect(new Set(lists).size).toBe(1)
})

test('start --demo stores all rows or none, and prints an unexpected error with its stack', async () => {
  const DATABASE_URL = await emptyDatabaseForTest('sqlite-file')
  await startAndStop({ DATABASE_URL })
  await execute(
    DATABASE_URL,
    "create trigger fails before insert on user_roles begin select raise(abort, 'no'); end",
  )
  expect(await runService({ DATABASE_URL }, ['--demo'])).toEqual({
    code: 1,
    stderr: expect.stringMatching(/ no\n +at /),
  })
  expect((await rowsOf(DATABASE_URL)).teams).toEqual([])
  await execute(
    DATABASE_URL,
    `drop trigger fails; insert into roles (id, name) values ('${RoleId.example}', 'x')`,
  )
  expect(await startAndStop({ DATABASE_URL }, { demo: true })).toContain(
    NOT_EMPTY,
  )
})

onLinux(
  'on a terminal, lines have colours, or are JSON with LOG_FORMAT=json',
  async () => {
    const args = ['-qec', `${process.execPath} ${MAIN} migrate`, '/dev/null']
    const print = async (LOG_FORMAT: string) => {
      const env = { ...process.env, DATABASE_URL: MEMORY, NO_COLOR: '' }
      const options = { env: { ...env, LOG_FORMAT } }
      return (await promisify(execFile)('script', args, options)).stdout
    }
    expect(await print('')).toContain('\u001b[')
    expect(JSON.parse(await print('json')).msg).toBe('schema is up to date')
  },
)

onLinux(
  'on a terminal, start --demo prints the database without its password, a command to try, and the paths of requests',
  async () => {
    const command = `${process.execPath} ${MAIN} start --demo`
    const DATABASE_URL = await emptyDatabaseForTest('postgres')
    const child = spawn('script', ['-qec', command, '/dev/null'], {
      env: { ...process.env, PORT: '0', DATABASE_URL, NO_COLOR: '1' },
      detached: true,
    })
    const closed = once(child, 'close')
    onTestFinished(async () => {
      process.kill(-(child.pid as number), 'SIGTERM')
      await closed
    })
    const printed = collect(child.stdout)
    const shown = /^ +try +curl (http.*(\/users\/user-[0-9a-f-]+))\r$/m
    await expect.poll(printed).toMatch(shown)
    expect(printed()).toMatch(/^ +database +postgres:\/\/[^@]+\r$/m)
    expect(printed(), 'no metrics are configured').not.toContain('metrics')
    const [, url = '', path] = shown.exec(printed()) ?? []
    expect(await (await fetch(url)).json()).toMatchObject({
      name: 'Ada Lovelace',
    })
    const line = new RegExp(`INFO: GET ${path} 200 \\d+\\.\\d ms\r$`, 'm')
    await expect.poll(printed).toMatch(line)
  },
)

async function startWithOutput(stdout: number | 'pipe', DATABASE_URL = MEMORY) {
  const [port = 0] = await freePorts(1)
  const child = spawn(process.execPath, [MAIN], {
    env: {
      ...process.env,
      DATABASE_URL,
      PORT: `${port}`,
      ALLOWED_HOSTS: '*',
      STOP_TIMEOUT_MS: '500',
    },
    stdio: ['ignore', stdout, 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const isReady = async () =>
    (await fetch(`${url}/readyz`).catch(() => undefined))?.ok ?? false
  await expect.poll(isReady).toBe(true)
  return {
    stdout: child.stdout as Readable,
    url,
    isReady,
    async request(count: number) {
      const get = 'GET /teams HTTP/1.1\r\nHost: x\r\n'
      const batch = `${`${get}\r\n`.repeat(499)}${get}Connection: close\r\n\r\n`
      for (let sent = 0; sent < count; sent += 500)
        expect(statusesIn(await sendRaw(port, batch))).toEqual(
          Array(500).fill(200),
        )
    },
    async stop() {
      child.kill('SIGTERM')
      return (await exited)[0]
    },
  }
}

onLinux(
  'a full disk under standard output stops neither serving nor SIGTERM',
  async () => {
    const full = openSync('/dev/full', 'w')
    const file = await databaseForTest('sqlite-file')
    const { request, isReady, stop } = await startWithOutput(full, file)
    closeSync(full)
    await request(1000)
    expect(await isReady()).toBe(true)
    expect(await stop()).toBe(0)
  },
)

test('a log reader that stands still loses lines, but delays neither requests nor SIGTERM', async () => {
  const { stdout, url, request, stop } = await startWithOutput('pipe')
  const count = 10_000
  await request(count)
  const text = collect(stdout)
  const requestMore = () => fetch(`${url}/nowhere`).then(text)
  await expect.poll(requestMore).toContain('"route":null')
  const lines = text().split('"route":"/teams"').length - 1
  expect(lines).toBeGreaterThan(4000)
  expect(lines).toBeLessThan(count)
  stdout.pause()
  await request(count)
  expect(await stop()).toBe(0)
})
