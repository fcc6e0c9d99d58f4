import { execFile } from 'node:child_process'
import { openSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { REPOSITORY } from 'testkit/documents.ts'
import { databaseForTest, folderForTest } from 'testkit/engines.ts'
import { type Running, runService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { listenLocally, sendRaw, statusesIn } from 'testkit/sockets.ts'
import { describe, expect, onTestFinished, test } from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { run } from '../../src/commands/run.ts'
import { useFakeTimers } from '../support/fake-timers.ts'
import { operatorErrorOf, startAndStop } from '../support/listen.ts'

const IN_MEMORY = { DATABASE_URL: 'sqlite::memory:' }
const IS_LINUX = process.platform === 'linux'

const STOP_AT_PACKAGE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  registerHooks({
    load(url, context, next) {
      if (url.includes('/node_modules/')) process.kill(process.pid, 'SIGTERM')
      return next(url, context)
    },
  })
`)}`

describe('a service process', () => {
  test('serves the profile of PROFILE, its version, and the documentation whose URL it logs', async () => {
    const { get, logLines } = await startServiceForTest({ PROFILE: 'b' })
    const { docs, ...line } = JSON.parse(`${logLines.at(-1)}`)
    const { json } = await get('/healthz')
    const { version } = manifest
    expect([line, json]).toMatchObject([{ profile: 'b', version }, { version }])
    expect(await (await fetch(docs)).text()).toContain(', simplified')
  })

  test('opens no inspector after SIGUSR1, writes nothing into the shared temporary folder, and leaves one file after SIGINT', async () => {
    const [folder, TMPDIR] = [await folderForTest(), await folderForTest()]
    const service = await startServiceForTest({
      DATABASE_URL: `sqlite:${folder}/users.db`,
      TMPDIR,
      NODE_COMPILE_CACHE: '',
    })
    service.process.kill('SIGUSR1')
    expect((await service.get('/docs')).status).toBe(200)
    expect(await service.stop('SIGINT')).toBe(0)
    expect(service.logLines.at(-1)).toContain('"stopped"')
    expect(await readdir(TMPDIR)).toEqual([])
    expect(await readdir(folder)).toEqual(['users.db'])
    expect(service.stderr()).toBe('')
  })

  test('that receives SIGTERM while it loads its packages ends with code 0', async () => {
    const NODE_OPTIONS = `--import ${STOP_AT_PACKAGE}`
    const env = { ...IN_MEMORY, PORT: '0', NODE_OPTIONS }
    expect(await runService(env)).toEqual({ code: 0, stderr: '' })
  })

  test('is not ready while it drains after SIGHUP, and serves other requests, whatever signals follow', async () => {
    const env = { ...IN_MEMORY, DRAIN_MS: '3600000' }
    const service = await startServiceForTest(env)
    expect((await service.get('/readyz')).status).toBe(200)
    service.process.kill('SIGHUP')
    await expect
      .poll(async () => (await service.get('/readyz')).json.reason)
      .toBe('the service is stopping')
    service.process.kill('SIGTERM')
    service.process.kill('SIGINT')
    const post =
      'POST /teams HTTP/1.0\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"x"}'
    const pipelined = `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n${post}`
    const received = await sendRaw(Number(new URL(service.url).port), pipelined)
    expect(statusesIn(received)).toEqual([200])
    const { status, headers, json } = await service.get('/teams')
    expect([status, headers.get('connection')]).toEqual([200, 'close'])
    expect(json, 'the pipelined POST does not run').toEqual([])
  })
})

const HASH_WITHOUT_MEMORY = `
  import { createPasswordHasher } from '${new URL('../../src/profile-a/passwords.ts', import.meta.url)}'
  const cost = { memoryCost: 4_000_000, timeCost: 1, parallelism: 1 }
  const hashing = createPasswordHasher(undefined, cost).hash('x')
  const { name, message } = await hashing.catch((error) => error)
  console.log(name, message)`

test.skipIf(!IS_LINUX)(
  'without the memory to hash a password, the service is unavailable',
  async () => {
    const node = [process.execPath, '--input-type=module', '-e']
    const args = [`--as=${2e9}`, ...node, HASH_WITHOUT_MEMORY]
    const { stdout } = await promisify(execFile)('prlimit', args)
    expect(stdout).toBe('UnavailableError no memory to hash a password\n')
  },
)

test('a rolling restart of two instances fails no request and loses no acknowledged write', async () => {
  const DATABASE_URL = await databaseForTest('postgres')
  const start = () => startServiceForTest({ DATABASE_URL, DRAIN_MS: '100' })
  const instances: Running[] = await Promise.all([start(), start()])
  let targets: readonly Running[] = instances
  const acknowledged: string[] = []
  let isRunning = true
  const write = async (client: number) => {
    for (let turn = 0; isRunning; turn += 1) {
      const name = `team ${turn} of client ${client}`
      const instance = targets[turn % targets.length] as Running
      expect((await instance.post('/teams', { name })).status).toBe(201)
      acknowledged.push(name)
    }
  }
  const writing = Promise.all([write(1), write(2)])
  const moreWrites = () => {
    const enough = acknowledged.length + 20
    const count = () => acknowledged.length
    return Promise.race([expect.poll(count).toBeGreaterThan(enough), writing])
  }

  await moreWrites()
  for (const n of [0, 1]) {
    const exited = instances[n]?.stop('SIGTERM')
    targets = instances.toSpliced(n, 1)
    expect(await exited).toBe(0)
    await moreWrites()
    instances[n] = await start()
    targets = instances
    await moreWrites()
  }
  isRunning = false
  await writing
  const teams: { name: string }[] = (await instances[0]?.get('/teams'))?.json
  expect(teams.map(({ name }) => name).sort()).toEqual(acknowledged.toSorted())
})

async function runHere(words: string, env: Record<string, string>) {
  const file = join(await folderForTest(), 'stdout')
  const code = await run({
    argv: words.split(' '),
    env,
    stdout: { fd: openSync(file, 'w'), isTTY: false },
    stopSignal: new Promise(() => {}),
  })
  return { code, stdout: await readFile(file, 'utf8') }
}

describe('the command line', () => {
  const HELP = /^ {2}start --demo .*\n {2}migrate /m
  const VERSION = new RegExp(`^${manifest.version}\\n$`)
  test.each([
    ['migrate --help', HELP],
    ['help', HELP],
    ['-h', HELP],
    ['--version', VERSION],
    ['-v', VERSION],
  ])(
    '%s is printed even with an invalid configuration',
    async (words, expected) => {
      expect(await runHere(words, { PORT: 'abc' })).toEqual({
        code: 0,
        stdout: expect.stringMatching(expected),
      })
    },
  )

  test('with unknown arguments is rejected in one line', async () => {
    for (const words of ['start --dmeo', 'migrate x'])
      expect(await runService({}, words.split(' '))).toEqual({
        code: 1,
        stderr: `expected start, start --demo or migrate, received "${words}"\n`,
      })
  })

  test('resolves a relative path of SQLite against the repository, and logs nothing below LOG_LEVEL', async () => {
    const folder = await folderForTest()
    const path = relative(fileURLToPath(REPOSITORY), folder)
    const DATABASE_URL = `sqlite:${path}/users.db`
    const env = { DATABASE_URL, LOG_LEVEL: 'warn' }
    expect(await runHere('migrate', env)).toEqual({ code: 0, stdout: '' })
    expect(await readdir(folder)).toEqual(['users.db'])
  })

  test('with LOG_FORMAT=pretty writes readable lines without colours into a pipe', async () => {
    const env = { PROFILE: 'b', LOG_FORMAT: 'pretty' }
    expect((await runHere('migrate', env)).stdout).toMatch(
      /^\[\d\d:\d\d:\d\d\] INFO: schema is up to date \{"migrations":\["0001-initial"\]\}\n/,
    )
  })
})

describe('a start is rejected in one line', () => {
  test.each(['PORT', 'METRICS_PORT'])(
    'for a busy %s, which the message names with HOST',
    async (name) => {
      const other = createServer()
      onTestFinished(() => void other.close())
      const port = await listenLocally(other)
      const starting = startAndStop({ ...IN_MEMORY, [name]: `${port}` })
      expect(await operatorErrorOf(starting)).toBe(
        `HOST, ${name}: listen EADDRINUSE: address already in use 127.0.0.1:${port}`,
      )
    },
  )

  test.each(['1966-01-01', '+010890-01-01'])(
    'in the year of %s, of which no id can contain the time',
    async (now) => {
      useFakeTimers({ toFake: ['Date'], now: Date.parse(now) })
      expect(await operatorErrorOf(startAndStop(IN_MEMORY))).toMatch(
        /^clock of this machine: invalid time: expected /,
      )
    },
  )

  const OPTION =
    'an option of the URL is unknown or repeated: expected only host, port, '
  const ENCODED = 'expected %2F, %3F and %23 instead of /, ? and # in'
  test.each([
    ['ada:hunter2@127.0.0.1:1/x?password=hunter2', 'connect ECONNREFUSED'],
    ['/x?host=/nowhere&user=ada&password=hunter2', 'connect ENOENT'],
    ['localhost/x?sslmode=requre', 'sslmode: expected one of disable, prefer'],
    ['localhost/x?sslmod=require', OPTION],
    ['localhost/x?sslmode=require&sslmode=disable', OPTION],
    ['localhost/x#?sslmode=require', ENCODED],
    ['ada:1/\nhunter2@localhost/x', ENCODED],
  ])(
    'for the URL postgres://%s, without user and password',
    async (rest, reason) => {
      const message = await operatorErrorOf(
        startAndStop({ DATABASE_URL: `postgres://${rest}` }),
      )
      expect(message).toMatch(/^DATABASE_URL: cannot use postgres:\/\//)
      expect(message).toContain(reason)
      expect(message).not.toMatch(/hunter2|ada/)
    },
  )
})
