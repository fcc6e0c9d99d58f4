import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Database } from '../src/database/database.ts'
import { createUser } from '../src/profile-b/store/users.ts'
import { type Listening, listen } from './support/server.ts'

const USERS = 40_000
const PAGES = USERS / 200 + 1

/** 18 MB in all: more than the sockets' buffers take, so that a reader who waits is felt by the writer. */
const fields = { name: 'n'.repeat(100), email: 'e'.repeat(255), team_id: null }

let service: Listening
let pagesRead: number
let beforePage: (page: number) => Promise<void>

async function start(corsOrigins?: string[]) {
  pagesRead = 0
  beforePage = async () => {}
  service = await listen('b', (db) => ({ db: watched(db), corsOrigins }))
  await service.db.write(async (tx) => {
    for (let n = 0; n < USERS; n += 1) await createUser(tx, fields)
  })
}

/** The database, with an eye on every page of users that is read. */
const watched = (db: Database): Database => ({
  ...db,
  async execute(statement, values) {
    if (statement.sql.includes('limit')) {
      pagesRead += 1
      await beforePage(pagesRead)
    }
    return db.execute(statement, values)
  },
})

beforeEach(() => start())
afterEach(() => service.close())

/** A client who reads when told to, and keeps every byte. */
function rawReader() {
  const socket = connect(service.port, '127.0.0.1')
  socket.write('GET /users HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: raw\r\n\r\n')
  let text = ''
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1')
  })
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  socket.on('error', () => {})
  return { socket, closed, text: () => text }
}

/** The number of pages read once that does not change any more. */
async function settledPages(): Promise<number> {
  for (let before = -1; before !== pagesRead; ) {
    before = pagesRead
    await sleep(300)
  }
  return pagesRead
}

test('the first byte leaves before the last row is read', async () => {
  const { promise: firstByte, resolve } = Promise.withResolvers<void>()
  beforePage = async (page) => {
    if (page > 1) await firstByte
  }
  const response = await fetch(`${service.url}/users`)
  const reader = response.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  expect(value?.byteLength).toBeGreaterThan(0)
  expect(pagesRead).toBeLessThan(4)
  resolve()
  let size = value?.byteLength ?? 0
  for (let part = await reader?.read(); part?.value; part = await reader?.read())
    size += part.value.byteLength
  expect(pagesRead).toBe(PAGES)
  expect(size).toBeGreaterThan(USERS * 355)
})

test('a reader who waits stops the reading, blocks nobody, and gets everything in the end', async () => {
  const { socket, text } = rawReader()
  socket.once('data', () => socket.pause())
  const halted = await settledPages()
  expect(halted).toBeLessThan(PAGES / 2 + PAGES / 4)
  expect(await service.post('/users', fields)).toMatchObject({ status: 200 })
  expect((await service.get('/users?limit=1000')).json).toHaveLength(1000)

  socket.resume()
  await vi.waitFor(() => expect(text().endsWith('\r\n0\r\n\r\n')).toBe(true), 10_000)
  const ids = text().match(/"id":"user-/g)
  expect(ids).toHaveLength(USERS + 1)
  socket.destroy()
})

test('a reader who vanishes ends the reading', async () => {
  const readers = Array.from({ length: 20 }, rawReader)
  for (const { socket } of readers) socket.once('data', () => socket.destroy())
  for (const { closed } of readers) await closed
  const halted = await settledPages()
  expect(halted).toBeLessThan(readers.length * (PAGES / 2))
  await sleep(300)
  expect(pagesRead).toBe(halted)
  expect(service.logLines.filter((line) => line.includes('"level":50'))).toEqual([])
})

describe.each([
  ['', undefined],
  [' to a page of another origin', ['*']],
])('an error in the middle of an answer%s', (_, corsOrigins) => {
  test('is logged, and breaks the connection instead of ending the JSON', async () => {
    await service.close()
    await start(corsOrigins)
    const printed = vi.spyOn(console, 'error').mockImplementation(() => {})
    beforePage = async (page) => {
      if (page < 3) return
      await sleep(50) // what was written before is on its way by then
      throw new Error('row of ada@example.com')
    }
    const { closed, text } = rawReader()
    await closed
    expect(text()).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(text().match(/"id":"user-/g)).toHaveLength(400)
    expect(text()).not.toMatch(/\]|0\r\n\r\n$|ada@example\.com|Error/)

    const lines = service.logLines.map((line) => JSON.parse(line)).filter((line) => line.level === 50)
    expect(lines).toEqual([
      expect.objectContaining({
        msg: 'response aborted',
        request_id: 'raw',
        err: expect.objectContaining({ message: 'row of ada@example.com' }),
      }),
    ])
    expect(printed.mock.calls.flat().map(String).join()).not.toContain('ada@example.com')
    printed.mockRestore()

    beforePage = async () => {}
    expect((await service.get('/users?limit=1')).status).toBe(200)
  })
})

test('a client who leaves while a page is read is no error', async () => {
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  beforePage = async (page) => {
    if (page === 3) await released
  }
  const { socket, closed } = rawReader()
  await expect.poll(() => pagesRead).toBe(3)
  socket.destroy()
  await closed
  await expect.poll(() => service.connections()).toBe(0)
  release()
  expect((await service.get('/users?limit=1')).status).toBe(200)
  expect(service.logLines.filter((line) => line.includes('"level":50'))).toEqual([])
})
