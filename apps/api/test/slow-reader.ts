/**
 * What readers of a long list cost a service in a process of its own: one who stops in the middle, 50 who vanish, and
 * one who is fast:
 *
 *     node test/slow-reader.ts            100,000 users, a pause of 10 seconds
 *     node test/slow-reader.ts 30000 2    30,000 users, a pause of 2 seconds
 */

import { execFileSync, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase } from '../src/database/open.ts'
import { profileA } from '../src/profile-a/index.ts'
import { createUser } from '../src/profile-a/store/users.ts'
import { databaseAt } from './support/database.ts'
import { startService } from './support/process.ts'

export interface Cost {
  readonly megabytesSent: number
  /** Of resident memory: at most while the list was read, and in the end, after 50 more readers had vanished. */
  readonly megabytesGrown: number
  readonly megabytesGrownInTheEnd: number
  /** Other requests answered during the pause, and the slowest of them. */
  readonly othersAnswered: number
  readonly slowestOtherMs: number
  /** Other requests answered while curl took the whole list as fast as it could. */
  readonly othersAnsweredBesideCurl: number
  /** Whether every user arrived, in valid JSON. */
  readonly complete: boolean
}

export async function measureSlowReader(users: number, pauseMs: number): Promise<Cost> {
  const folder = await mkdtemp(join(tmpdir(), 'slow-reader-'))
  const url = `sqlite:${folder}/users.db`
  await register(url, users)
  const service = await startService({ DATABASE_URL: url })
  try {
    // What the first requests of all need is not the reader's.
    for (let n = 0; n < 20; n += 1) await (await fetch(`${service.url}/users?limit=1000`)).text()
    const port = Number(new URL(service.url).port)
    const memory = watchMemory(service.process.pid ?? 0)

    const others = askOthers(service.url)
    const body = await readSlowly(port, pauseMs)
    const { answered, slowest } = await others.stop()
    const megabytesGrown = memory.grown()

    for (let n = 0; n < 50; n += 1) await vanish(port)
    await sleep(500)
    return {
      megabytesSent: Math.round(body.length / 1e6),
      megabytesGrown,
      megabytesGrownInTheEnd: memory.stop(),
      othersAnswered: answered,
      slowestOtherMs: Math.round(slowest),
      othersAnsweredBesideCurl: await askBesideCurl(service.url),
      complete: JSON.parse(body).length === users,
    }
  } finally {
    await service.stop()
    await rm(folder, { recursive: true })
  }
}

async function register(url: string, users: number): Promise<void> {
  const db = await openDatabase(databaseAt(url), profileA.migrations)
  await db.write(async (tx) => {
    for (let n = 0; n < users; n += 1) {
      // About 450 bytes each, 45 MB for 100,000: a service that kept them all could not hide it.
      const name = `Person ${n} ${'of many names '.repeat(6)}`
      const email = `${n}.${'long'.repeat(55)}@example.com`
      await createUser(tx, { email, name, password_hash: 'x', team_id: null })
    }
  })
  await db.close()
}

/** Reads the whole list, and nothing at all for a while after the first megabyte. */
async function readSlowly(port: number, pauseMs: number): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /users HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
  const parts: Buffer[] = []
  let size = 0
  for await (const part of socket) {
    parts.push(part)
    // The socket reads ahead by 64 KiB at most, so that not to ask for more is not to read.
    if (size < 1e6 && size + part.length >= 1e6) await sleep(pauseMs)
    size += part.length
  }
  return unchunked(Buffer.concat(parts))
}

/** The body of an answer in chunks (RFC 9112, section 7.1). */
function unchunked(answer: Buffer): string {
  const body: Buffer[] = []
  let at = answer.indexOf('\r\n\r\n') + 4
  for (;;) {
    const end = answer.indexOf('\r\n', at)
    const size = Number.parseInt(answer.toString('latin1', at, end), 16)
    if (!(size > 0)) return Buffer.concat(body).toString()
    body.push(answer.subarray(end + 2, end + 2 + size))
    at = end + 2 + size + 2
  }
}

async function vanish(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.write('GET /users HTTP/1.1\r\nHost: localhost\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
}

/** Reads and writes, one after the other, until told to stop. */
function askOthers(url: string) {
  let stopped = false
  let answered = 0
  let slowest = 0
  const running = (async () => {
    while (!stopped) {
      const started = performance.now()
      const body = JSON.stringify({ name: 'Engineering' })
      const headers = { 'content-type': 'application/json' }
      const { status } = await fetch(`${url}/teams`, { method: 'POST', headers, body })
      if (status !== 201) throw new Error(`POST /teams answered ${status}`)
      await (await fetch(`${url}/users?limit=1`)).text()
      answered += 2
      slowest = Math.max(slowest, performance.now() - started)
      await sleep(50)
    }
  })()
  return {
    async stop() {
      stopped = true
      await running
      return { answered, slowest }
    },
  }
}

/** In a process of its own, the reader does not wait for this one. */
async function askBesideCurl(url: string): Promise<number> {
  let answered = 0
  let done = false
  const curl = spawn('curl', ['--silent', '--output', '/dev/null', `${url}/users`]).once('close', () => {
    done = true
  })
  for (; !done; answered += 1) await (await fetch(`${url}/healthz`)).text()
  if (curl.exitCode !== 0) throw new Error(`curl ended with ${curl.exitCode}`)
  return answered
}

/** Follows the resident memory of a process; megabytes above what it was at the start. */
function watchMemory(pid: number) {
  const resident = () => Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)])) / 1024
  const start = resident()
  let most = start
  const timer = setInterval(() => {
    most = Math.max(most, resident())
  }, 100)
  const grown = () => Math.round(most - start)
  return {
    grown,
    stop() {
      clearInterval(timer)
      return Math.round(resident() - start)
    },
  }
}

if (import.meta.main) {
  const [users = 100_000, seconds = 10] = process.argv.slice(2).map(Number)
  console.log(await measureSlowReader(users, seconds * 1000))
}
