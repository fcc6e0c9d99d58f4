import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { databaseForTest } from 'testkit/engines.ts'
import { runCommand, runService, startService } from 'testkit/process.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { listenLocally, sendRaw, statusesIn } from 'testkit/sockets.ts'
import {
  afterAll,
  beforeAll,
  describe,
  expect,
  onTestFinished,
  test,
} from 'vitest'
import manifest from '../../package.json' with { type: 'json' }
import { TeamId } from '../../src/ids.ts'
import { operatorErrorOf, startAndStop } from '../support/commands.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-main-'))
})
afterAll(() => rm(folder, { recursive: true }))

/**
 * A module that sends SIGTERM to its process when the first package is loaded.
 */
const STOP_AT_FIRST_PACKAGE = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  let isSent = false
  registerHooks({
    load(url, context, next) {
      if (url.includes('/node_modules/') && !isSent) isSent = process.kill(process.pid, 'SIGTERM')
      return next(url, context)
    },
  })
`)}`

describe('a service process', () => {
  test('serves requests over a socket, creates its file with the folder, and keeps the rows over a restart', async () => {
    const env = { DATABASE_URL: `sqlite:${folder}/new/folder/users.db` }
    const first = await startServiceForTest(env)
    const team = (await first.post('/teams', { name: 'Engineering' })).json
    const user = {
      name: 'Ada',
      email: 'ada@example.com',
      password: 'correct horse',
      team_id: team.id,
    }
    const ada = (await first.post('/users', user)).json
    expect((await first.get(`/users/${TeamId.example}`)).status).toBe(422)
    expect(await first.stop('SIGTERM')).toBe(0)
    expect(first.logLines.join()).not.toContain(TeamId.example)

    const second = await startServiceForTest(env)
    expect((await second.get('/users')).json).toEqual([ada])
    expect(await second.stop('SIGINT')).toBe(0)
    expect(await readdir(`${folder}/new/folder`)).toEqual(['users.db'])
  })

  test('stops after SIGHUP, which a closed terminal sends, and opens no inspector after SIGUSR1', async () => {
    const service = await startServiceForTest({
      DATABASE_URL: 'sqlite::memory:',
    })
    service.process.kill('SIGUSR1')
    expect(await service.get('/healthz')).toMatchObject({
      status: 200,
      json: { version: manifest.version },
    })
    expect(await service.stop('SIGHUP')).toBe(0)
    expect(service.logLines.at(-1)).toContain('"stopped"')
    expect(service.stderr()).toBe('')
  })

  test('that receives SIGTERM while it loads its packages, as process 1 of a container may, ends with code 0', async () => {
    const env = {
      DATABASE_URL: 'sqlite::memory:',
      PORT: '0',
      NODE_OPTIONS: `--import ${STOP_AT_FIRST_PACKAGE}`,
    }
    expect(await runService(env)).toEqual({ code: 0, stderr: '' })
  })

  test('drains to the end when it receives a second signal', async () => {
    const service = await startServiceForTest({
      DATABASE_URL: 'sqlite::memory:',
      DRAIN_MS: '1000',
    })
    const stopped = service.stop()
    await expect
      .poll(async () => (await service.get('/readyz')).status)
      .toBe(503)
    service.process.kill('SIGTERM')
    service.process.kill('SIGINT')
    expect((await service.get('/teams')).status).toBe(200)
    expect(await stopped).toBe(0)
    expect(service.logLines.at(-1)).toContain('"stopped"')
  })

  test('warns at the start when the system permits fewer open files than MAX_CONNECTIONS needs', async () => {
    const env = { DATABASE_URL: 'sqlite::memory:' }
    const warnings = async (limit: number) => {
      const service = await startService(env, [
        'prlimit',
        `--nofile=${limit}:${limit}`,
      ])
      await service.stop()
      return service.logLines.filter((line) =>
        line.includes('limit of open files is below MAX_CONNECTIONS'),
      )
    }
    expect(await warnings(1109)).toEqual([
      expect.stringContaining('"limit":1109,"needed":1110'),
    ])
    expect(await warnings(1110)).toEqual([])
  })

  test('writes readable lines with LOG_FORMAT=pretty, without colours in a pipe', async () => {
    const env = { DATABASE_URL: 'sqlite::memory:', LOG_FORMAT: 'pretty' }
    const { code, stdout } = await runCommand(env, ['migrate'])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^\[\d\d:\d\d:\d\d\] INFO: schema is up to date \{"migrations":\[.*\]\}\n/,
    )
  })

  test('completes a running request after SIGTERM, and accepts no new connection', async () => {
    const service = await startServiceForTest({
      DATABASE_URL: 'sqlite::memory:',
    })
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const body = '{"name":"Late"}'
    socket.write(
      `POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    socket.write(body.slice(0, 5))
    await service.get('/healthz')
    const stopped = service.stop('SIGTERM')
    const isListening = () =>
      service.get('/healthz').then(
        () => true,
        () => false,
      )
    await expect.poll(isListening).toBe(false)
    socket.write(body.slice(5))
    const [response] = await once(socket, 'data')
    expect(String(response)).toMatch(/^HTTP\/1\.1 201 /)
    expect(await stopped).toBe(0)
    expect(service.logLines.at(-1)).toContain('"msg":"stopped"')
  })

  test('is not ready while it drains, and serves all other requests until then', async () => {
    const service = await startServiceForTest({
      DATABASE_URL: await databaseForTest('sqlite-file'),
      DRAIN_MS: '1000',
    })
    expect((await service.get('/readyz')).status).toBe(200)
    const stopped = service.stop()
    await expect
      .poll(async () => (await service.get('/readyz')).json.reason)
      .toBe('the service is stopping')
    const team =
      'Host: x\r\nContent-Type: application/json\r\nContent-Length: 12\r\n\r\n{"name":"x"}'
    const pipelined = `GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nPOST /teams HTTP/1.1\r\n${team}`
    expect(
      statusesIn(await sendRaw(Number(new URL(service.url).port), pipelined)),
    ).toEqual([200])
    const { status, headers, json } = await service.get('/teams')
    expect(status).toBe(200)
    expect(headers.get('connection')).toBe('close')
    expect(
      json,
      'the request that was pipelined after a last response',
    ).toEqual([])
    expect((await service.get('/healthz')).status).toBe(200)
    expect(await stopped).toBe(0)
  })
})

describe('the command line', () => {
  const HELP = /^ {2}start --demo .*\n {2}migrate /m
  const VERSION = new RegExp(`^${manifest.version}\\n$`)
  test.each([
    ['--help', HELP],
    ['help', HELP],
    ['-h', HELP],
    ['migrate --help', HELP],
    ['--version', VERSION],
    ['-v', VERSION],
  ])(
    '%s is printed even with an invalid configuration',
    async (words, expected) => {
      const args = words.split(' ')
      const { code, stdout, stderr } = await runCommand({ PORT: 'abc' }, args)
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
      expect(stdout).toMatch(expected)
    },
  )

  test('with unknown arguments is rejected in one line', async () => {
    for (const args of [['serve'], ['start', '--dmeo'], ['migrate', 'x']])
      expect(await runService({}, args)).toEqual({
        code: 1,
        stderr: `expected start, start --demo or migrate, received "${args.join(' ')}"\n`,
      })
  })
})

describe('a start is rejected in one line', () => {
  test('for a version of Node.js that is too old', async () => {
    const version = encodeURIComponent(
      `Object.defineProperty(process.versions, 'node', { value: '9.11.2' })`,
    )
    const NODE_OPTIONS = `--import data:text/javascript,${version}`
    const { code, stderr } = await runService({ NODE_OPTIONS })
    expect(code).toBe(1)
    expect(stderr).toMatch(
      /^Node.js: expected version \d\S+ or newer, received 9.11.2\n$/,
    )
  })

  test.each([
    ['PORT', 'HOST, PORT'],
    ['METRICS_PORT', 'HOST, METRICS_PORT'],
  ])('for a busy %s, with %s in the message', async (variable, setting) => {
    const other = createServer()
    onTestFinished(() => void other.close())
    const port = await listenLocally(other)
    expect(
      await runService({
        DATABASE_URL: 'sqlite::memory:',
        PORT: '0',
        [variable]: `${port}`,
      }),
    ).toEqual({
      code: 1,
      stderr: `${setting}: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`,
    })
  })

  test.each([
    ['a folder', ''],
    ['a path below a file', 'text.db/users.db'],
    ['a file that is not a database', 'text.db'],
  ])('for a database that is %s, which stays unchanged', async (_, path) => {
    const file = join(folder, 'text.db')
    await writeFile(file, 'not a database')
    const before = await readdir(folder)
    expect(
      await operatorErrorOf(
        startAndStop({ DATABASE_URL: `sqlite:${join(folder, path)}` }),
      ),
    ).toMatch(/^DATABASE_URL: cannot use /)
    expect(await readdir(folder)).toEqual(before)
  })

  test('for an unreachable PostgreSQL, without the password of the URL', async () => {
    for (const url of [
      'postgres://ada:hunter2@127.0.0.1:1/users?password=hunter2',
      'postgres://ada:hunter2@nowhere.invalid/users',
      'postgres:///users?host=/nowhere&user=ada&password=hunter2',
    ]) {
      const message = await operatorErrorOf(startAndStop({ DATABASE_URL: url }))
      expect(message).toMatch(/^DATABASE_URL: cannot use postgres:\/\//)
      expect(message).not.toMatch(/hunter2|ada/)
    }
  })

  const UNKNOWN =
    'an option of the URL is unknown or repeated: expected only host, port, '
  const ENCODED = 'expected %2F, %3F and %23 instead of /, ? and # in'
  test.each([
    ['localhost/x?sslmode=requre', 'sslmode: expected one of disable, prefer'],
    ['localhost/x?sslmod=require', UNKNOWN],
    ['localhost/x?application_name=shop', UNKNOWN],
    ['localhost/x?sslmode=require&sslmode=disable', UNKNOWN],
    ['localhost/x?ssl=true&sslmode=disable', UNKNOWN],
    ['localhost/x#?sslmode=require', ENCODED],
    ['ada:1/hunter2@localhost/x', ENCODED],
    ['ada:1/\nhunter2@localhost/x', ENCODED],
  ])('for the URL postgres://%s', async (rest, reason) => {
    const message = await operatorErrorOf(
      startAndStop({ DATABASE_URL: `postgres://${rest}` }),
    )
    expect(message).toMatch(/^DATABASE_URL: cannot use postgres:\/\//)
    expect(message).toContain(reason)
    expect(message).not.toMatch(/hunter2|ada/)
  })
})
