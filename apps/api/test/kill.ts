/**
 * Kills the service, or the PostgreSQL server behind it, in the middle of writes, again and again, and compares what
 * is there afterwards with what clients were told:
 *
 *     node test/kill.ts                             the service on SQLite, 200 times
 *     node test/kill.ts postgres service 200        the service on PostgreSQL
 *     node test/kill.ts postgres database 30        PostgreSQL, while the service goes on
 *     node test/kill.ts sqlite service 200 16 42    with 16 writers, and the random numbers of seed 42
 *
 * An answered write must be there, and a write of which nobody was told must be there wholly or not at all.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { createLedger } from './kill/ledger.ts'
import { damageOf, readBack } from './kill/stored.ts'
import { createShared, startWriters } from './kill/writers.ts'
import { startPostgres } from './support/postgres.ts'
import { startService } from './support/process.ts'

export interface Kills {
  readonly engine: 'sqlite' | 'postgres'
  readonly victim: 'service' | 'database'
  readonly kills: number
  readonly writers?: number
  readonly seed?: number
}

const PATIENCE_MS = 30_000

export async function kill({ engine, victim, kills, writers = 24, seed = Date.now() % 1e6 }: Kills) {
  const random = randomFrom(seed)
  const database = await databases[engine]()
  const ledger = createLedger()
  const shared = createShared(writers)
  const damage: string[] = []
  const { counts } = ledger
  let service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'info' })
  process.once('exit', () => service.process.kill('SIGKILL'))
  try {
    const started = performance.now()
    for (let n = 0; n < kills; n += 1) {
      const running = startWriters(service.url, ledger, shared, random)
      await more(2 * writers + random() * 300)
      await pause(random() * 20)
      if (victim === 'service') {
        await Promise.all([service.stop('SIGKILL'), running.stop()])
        service = await startService({ DATABASE_URL: database.url, LOG_LEVEL: 'info' })
      } else {
        await database.crash()
        await pause(random() * 300)
        await database.resume()
        await more(2 * writers) // by itself
        await running.stop()
      }
      ledger.compare(await readBack(service.url))
      damage.push(...(await damageOf(database.url)))
    }
    const { lost, torn } = ledger
    return { engine, victim, kills, seed, seconds: seconds(started), ...counts, lost, torn, damage }
  } finally {
    await service.stop('SIGKILL')
    await database.drop()
  }

  async function more(answers: number): Promise<void> {
    const enough = counts.answered + answers
    const deadline = performance.now() + PATIENCE_MS
    while (counts.answered < enough) {
      if (performance.now() > deadline) throw new Error(`no ${answers} answers within ${PATIENCE_MS} ms`)
      await pause(1)
    }
  }
}

const databases = {
  async sqlite() {
    const folder = await mkdtemp(join(tmpdir(), 'kill-'))
    return {
      url: `sqlite:${folder}/users.db`,
      async crash() {},
      async resume() {},
      drop: () => rm(folder, { recursive: true }),
    }
  },
  async postgres() {
    // With all that makes it durable, which other tests do without.
    const { url, crash, resume, stop } = await startPostgres({ flags: [] })
    return { url, crash, resume, drop: stop }
  },
}

/** Mulberry32: the same numbers between 0 and 1 for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t ^= t + Math.imul(t ^ (t >>> 7), 61 | t)
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

const seconds = (started: number) => Math.round((performance.now() - started) / 1000)

if (import.meta.main) {
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  const [engine = 'sqlite', victim = 'service', ...numbers] = process.argv.slice(2)
  const [kills = 200, writers, seed] = numbers.map(Number)
  const result = await kill({ engine, victim, kills, writers, seed } as Kills)
  console.log(result)
  process.exitCode = [result.lost, result.torn, result.damage].some((list) => list.length > 0) ? 1 : 0
}
