/**
 * Copies 100,000 users with their teams and roles from SQLite to PostgreSQL and back, then asks the service of each
 * database for everything: `pnpm --filter api bench:copy`. Exits with 1 when one answer differs by one byte.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createApp } from '../src/app.ts'
import { PROFILES } from '../src/config/variables.ts'
import { openDatabase } from '../src/database/open.ts'
import { createLog } from '../src/observability/log.ts'
import { databaseAt } from '../test/support/database.ts'
import { populate } from '../test/support/population.ts'
import { startPostgres } from '../test/support/postgres.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))
const [users = 100_000] = process.argv.slice(2).map(Number)
const profile = PROFILES.a

const folder = await mkdtemp(join(tmpdir(), 'api-bench-copy-'))
const server = await startPostgres({ flags: [] })
try {
  const [first, second, third] = [`sqlite:${folder}/first.db`, server.url, `sqlite:${folder}/third.db`]
  const db = await openDatabase(databaseAt(first), profile.migrations)
  await populate(db, users)
  await db.close()
  const bytes = (await stat(`${folder}/first.db`)).size
  console.log(`${users} users in a SQLite file of ${megabytes(bytes)} MB`)
  await command('SQLite to PostgreSQL', ['copy', '--from', first, '--to', second])
  await command('PostgreSQL to SQLite', ['copy', '--from', second, '--to', third])
  await command('backup of the SQLite file', ['backup', `${folder}/backup.db`], { DATABASE_URL: first })
  await compare(first, second)
  await compare(first, third)
  await compare(first, `sqlite:${folder}/backup.db`)
} finally {
  await server.stop()
  await rm(folder, { recursive: true })
}

/** Runs a command as a process of its own, and tells how long it took and how much memory it had at most. */
async function command(name: string, args: string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const started = performance.now()
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  let peak = 0
  const watch = setInterval(() => {
    peak = Math.max(peak, residentBytes(child.pid))
  }, 20)
  const [code] = await once(child, 'exit')
  clearInterval(watch)
  if (code !== 0) throw new Error(`${name} ended with ${code}`)
  const seconds = (performance.now() - started) / 1000
  console.log(`${name}: ${seconds.toFixed(1)} s, at most ${megabytes(peak)} MB`)
}

function residentBytes(pid: number | undefined): number {
  try {
    const [, kilobytes = '0'] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    return Number(kilobytes) * 1024
  } catch {
    return 0 // it has ended
  }
}

function megabytes(bytes: number): number {
  return Math.round(bytes / 1e6)
}

async function compare(left: string, right: string): Promise<void> {
  const dbs = await Promise.all([left, right].map((url) => openDatabase(databaseAt(url), profile.migrations)))
  const apps = dbs.map((db) => createApp({ profile, db, log: createLog('silent') }))
  const both = (path: string) => Promise.all(apps.map(async (app) => (await app.request(path)).text()))
  let equal = 0
  async function same(path: string): Promise<string> {
    const [ours, theirs] = await both(path)
    if (ours === undefined || ours !== theirs) throw new Error(`GET ${path} differs: ${ours} and ${theirs}`)
    equal += 1
    return ours
  }
  const lists = [await same('/teams'), await same('/roles'), await same('/users')]
  const all: { id: string }[] = JSON.parse(lists[2] as string)
  for (const { id } of JSON.parse(lists[0] as string)) await same(`/users?team_id=${id}`)
  for (const { id } of all) await same(`/users/${id}`)
  console.log(`${equal} answers are equal, ${all.length} users among them`)
  await Promise.all(dbs.map((db) => db.close()))
}
