import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freshPostgresDatabase } from '../support/engines.ts'
import { startService } from '../support/process.ts'
import { ECHO, SMUGGLED } from './attempts/attempt.ts'

export const SUBJECTS = ['a-sqlite', 'a-postgres', 'b-memory'] as const
export type SubjectName = (typeof SUBJECTS)[number]

/** A service in a process of its own that is attacked. */
export interface Subject {
  readonly profile: 'a' | 'b'
  readonly url: string
  readonly port: number
  megabytes(): number
  /** Throws when the process is not the one that was started, is not ready, or has logged what it must not. */
  expectWell(): Promise<void>
  stop(): Promise<void>
}

/** A request has run that was hidden in another. */
export class SmuggledError extends Error {
  readonly hidden: string

  constructor(hidden: string) {
    super('a request has run that was hidden in this one')
    this.hidden = hidden
  }
}

const ERROR_LEVEL = 50

/** `postgresUrl` is of a server that takes the database of one of them. */
export async function startSubject(name: SubjectName, postgresUrl: () => Promise<string>): Promise<Subject> {
  const { url: databaseUrl, drop } = await databaseFor(name, postgresUrl)
  const profile = name.startsWith('a') ? 'a' : 'b'
  const service = await startService({ PROFILE: profile, DATABASE_URL: databaseUrl })
  const { url, process: child, logLines } = service
  let complaints = ''
  child.stderr?.on('data', (chunk) => {
    complaints += chunk
  })

  function expectQuiet(): void {
    if (complaints !== '') throw new Error(`on standard error: ${complaints.slice(0, 2000)}`)
    // Taken out once read: a long run logs more than fits into memory.
    for (const line of (logLines as string[]).splice(0)) {
      const { level, pid, request_id } = JSON.parse(line)
      if (level >= ERROR_LEVEL || pid !== child.pid) throw new Error(`in the log: ${line}`)
      if (request_id?.startsWith(SMUGGLED)) throw new SmuggledError(request_id)
      if (line.includes(ECHO)) throw new Error(`a log line that repeats the input: ${line}`)
    }
  }

  return {
    profile,
    url,
    port: Number(new URL(url).port),
    // Without a process that it could be of, nothing is printed.
    megabytes: () => Number(spawnSync('ps', ['-o', 'rss=', '-p', String(child.pid)]).stdout) / 1024,
    async expectWell() {
      if (child.exitCode !== null || child.signalCode !== null) throw new Error('the process has ended')
      expectQuiet()
      const { status } = await fetch(`${url}/readyz`)
      if (status !== 200) throw new Error(`/readyz answers ${status}`)
    },
    async stop() {
      const code = await service.stop()
      await drop()
      if (code !== 0) throw new Error(`the process ended with ${code}: ${complaints}`)
    },
  }
}

async function databaseFor(name: SubjectName, postgresUrl: () => Promise<string>) {
  if (name === 'a-postgres') return freshPostgresDatabase(await postgresUrl())
  if (name === 'b-memory') return { url: 'sqlite::memory:', async drop() {} }
  const folder = await mkdtemp(join(tmpdir(), 'api-fuzz-'))
  return { url: `sqlite:${folder}/users.db`, drop: () => rm(folder, { recursive: true }) }
}
