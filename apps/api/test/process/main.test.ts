import { once } from 'node:events'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TeamId } from '../../src/ids.ts'
import { runService, startService } from '../support/process.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'api-main-'))
})
afterAll(() => rm(folder, { recursive: true }))

// biome-ignore lint/suspicious/noExplicitAny: tests assert what it is.
const jsonOf = (response: Response): Promise<any> => response.json()

const jsonPost = (body: unknown): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

describe('a running service', () => {
  test('does the whole job over a socket, creates its file with the folder, and keeps it over a restart', async () => {
    const env = { DATABASE_URL: `sqlite:${folder}/new/folder/users.db` }
    const first = await startService(env)
    const call = async (path: string, init?: RequestInit) => {
      const response = await fetch(first.url + path, init)
      return { status: response.status, json: response.status === 204 ? null : await jsonOf(response) }
    }
    const team = await call('/teams', jsonPost({ name: 'Engineering' }))
    expect(team.status).toBe(201)
    const role = await call('/roles', jsonPost({ name: 'admin' }))
    const ada = { name: 'Ada', email: 'ada@example.com', password: 'correct horse', team_id: team.json.id }
    const user = await call('/users', jsonPost(ada))
    expect(user.status).toBe(201)
    expect((await call('/users', jsonPost(ada))).status).toBe(400)
    expect(
      (await call(`/users/${user.json.id}/roles/${role.json.id}`, { method: 'POST' })).json.roles,
    ).toEqual([role.json])
    const renamed = await call(`/users/${user.json.id}`, { ...jsonPost({ name: 'Grace' }), method: 'PATCH' })
    expect(renamed.json.name).toBe('Grace')
    expect((await call(`/users?team_id=${team.json.id}`)).json).toEqual([renamed.json])
    expect((await call(`/users/${TeamId.example}`)).status).toBe(422)
    const grace = await call('/users', jsonPost({ ...ada, email: 'grace@example.com' }))
    expect((await call(`/users/${grace.json.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await call(`/users/${grace.json.id}`)).status).toBe(404)
    expect(await first.stop('SIGTERM')).toBe(0)

    const second = await startService(env)
    const users = await fetch(`${second.url}/users`)
    expect(await users.json()).toEqual([renamed.json])
    expect(await second.stop('SIGINT')).toBe(0)
    expect(await readdir(`${folder}/new/folder`)).toEqual(['users.db'])
  })

  test('answers a path of 64 KB with a plain 4xx', async () => {
    const service = await startService({ DATABASE_URL: 'sqlite::memory:' })
    expect((await fetch(`${service.url}/users/${'x'.repeat(64 * 1024)}`)).status).toBe(431)
    expect((await fetch(`${service.url}/users/${'x'.repeat(8 * 1024)}`)).status).toBe(422)
    await service.stop()
  })

  test('lets a running request finish after SIGTERM, and takes no new connection', async () => {
    const service = await startService({ DATABASE_URL: 'sqlite::memory:' })
    const { hostname, port } = new URL(service.url)
    const socket = connect(Number(port), hostname)
    const body = '{"name":"Late"}'
    socket.write(
      `POST /teams HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`,
    )
    // The first half of the body is there, so the request has begun.
    socket.write(body.slice(0, 5))
    await (await fetch(`${service.url}/healthz`)).text()
    const stopped = service.stop('SIGTERM')
    await expect
      .poll(() =>
        fetch(`${service.url}/healthz`).then(
          () => 'answered',
          () => 'refused',
        ),
      )
      .toBe('refused')
    socket.write(body.slice(5))
    const [answer] = await once(socket, 'data')
    expect(String(answer)).toMatch(/^HTTP\/1\.1 201 /)
    expect(await stopped).toBe(0)
    expect(service.logLines.at(-1)).toContain('"msg":"stopped"')
  })

  test('has every answered write after SIGKILL in the middle of writes', async () => {
    const env = { DATABASE_URL: `sqlite:${folder}/killed.db` }
    const service = await startService(env)
    const answered: string[] = []
    const write = async (name: string): Promise<void> => {
      const response = await fetch(`${service.url}/teams`, jsonPost({ name }))
      expect(response.status).toBe(201)
      answered.push((await jsonOf(response)).id)
      return write(name)
    }
    const writers = Promise.allSettled(Array.from({ length: 16 }, (_, n) => write(`writer ${n}`)))
    await expect.poll(() => answered.length, { timeout: 10_000 }).toBeGreaterThan(200)
    expect(await service.stop('SIGKILL')).toBe('SIGKILL')
    await writers

    const again = await startService(env)
    const stored = new Set(
      (await jsonOf(await fetch(`${again.url}/teams`))).map((team: { id: string }) => team.id),
    )
    expect(answered.filter((id) => !stored.has(id))).toEqual([])
    await again.stop()
    const file = new Sqlite(`${folder}/killed.db`)
    expect(file.pragma('integrity_check', { simple: true })).toBe('ok')
    file.close()
  })
})

describe('a start that cannot be', () => {
  const oneLine = (pattern: RegExp) => new RegExp(`^${pattern.source}[^\\n]*\\n$`)

  test('ends with code 1 and one line for a bad variable', async () => {
    expect(await runService({ PORT: 'abc' })).toEqual({
      code: 1,
      stderr: 'PORT: expected a whole number from 0 to 65535, received "abc"\n',
    })
  })

  test('ends with code 1 and one line for a busy port', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as { port: number }
    const { code, stderr } = await runService({ PORT: String(port), DATABASE_URL: 'sqlite::memory:' })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(
        oneLine(/HOST, PORT: cannot listen on port \d+ of [^\n]*: the port is in use[^\n]*/),
      ),
    })
    server.close()
  })

  test('ends with code 1 and one line for an address of another machine', async () => {
    const { code, stderr } = await runService({ HOST: '192.0.2.1', DATABASE_URL: 'sqlite::memory:' })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(oneLine(/HOST, PORT: [^\n]*192\.0\.2\.1: the host is not an address/)),
    })
  })

  test.for([
    ['a folder', ''],
    ['a path below a file', 'text.db/users.db'],
    ['a file that is no database', 'text.db'],
  ] as const)(
    'ends with code 1 and one line when the database is %s, and leaves it as it is',
    async ([, path]) => {
      await writeFile(join(folder, 'text.db'), 'not a database, but somebody wants to keep it')
      const { code, stderr } = await runService({ PORT: '0', DATABASE_URL: `sqlite:${join(folder, path)}` })
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: expect.stringMatching(oneLine(/DATABASE_URL: cannot use/)),
      })
    },
  )

  test('ends with code 1 and one line for a schema that this version does not know', async () => {
    const file = join(folder, 'newer.db')
    await (await startService({ DATABASE_URL: `sqlite:${file}` })).stop()
    const db = new Sqlite(file)
    db.exec("insert into kysely_migration (name, timestamp) values ('9999-of-the-future', '2030')")
    db.close()
    const { code, stderr } = await runService({ PORT: '0', DATABASE_URL: `sqlite:${file}` })
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(oneLine(/DATABASE_URL: .*9999-of-the-future/)),
    })
  })
})
