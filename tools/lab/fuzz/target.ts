import { residentMegabytes } from 'testkit/process-stats.ts'
import type { Scope } from '../kit/scope.ts'
import { type Engine, portOf, startDatabase, startService } from '../kit/service.ts'
import { MARKER } from '../kit/texts.ts'
import { HIDDEN } from './attempts/attempt.ts'

/** The profiles and databases that are attacked. */
export const TARGETS = {
  'a-sqlite': { title: 'Profile A, SQLite file', profile: 'a', engine: 'sqlite' },
  'a-postgres': { title: 'Profile A, PostgreSQL', profile: 'a', engine: 'postgres' },
  'b-memory': { title: 'Profile B, in memory', profile: 'b', engine: 'sqlite-memory' },
} as const satisfies Record<string, { title: string; profile: ProfileName; engine: Engine }>

export type TargetName = keyof typeof TARGETS

export type ProfileName = 'a' | 'b'

/** A service that is attacked, as a separate process. */
export interface Target {
  readonly profile: ProfileName
  readonly url: string
  readonly port: number
  readMegabytes(): number
  /** Throws if the process has ended, is not ready, or has logged an error, the marker or a hidden request. */
  expectHealthy(): Promise<void>
  /** Throws unless the service exits with 0. */
  stop(): Promise<void>
}

/** A request was executed that was hidden in the bytes of another one. */
export class HiddenRequestError extends Error {
  readonly requestId: string

  constructor(requestId: string) {
    super(`the hidden request ${requestId} was executed`)
    this.requestId = requestId
  }
}

/** The level of an error in pino's log lines. */
const ERROR_LEVEL = 50

export async function startTarget(scope: Scope, name: TargetName): Promise<Target> {
  const { profile, engine } = TARGETS[name]
  const DATABASE_URL = await startDatabase(scope, engine)
  const service = await startService(scope, { PROFILE: profile, DATABASE_URL })
  const { url, process: child, logLines } = service
  let standardError = ''
  child.stderr?.on('data', (chunk) => {
    standardError += chunk
  })

  function expectCleanLog(): void {
    if (standardError !== '') throw new Error(`on standard error: ${standardError.slice(0, 2000)}`)
    // Removes the lines that were checked: the log of a long run does not fit into memory.
    for (const line of (logLines as string[]).splice(0)) {
      const { level, pid, request_id } = JSON.parse(line)
      if (level >= ERROR_LEVEL || pid !== child.pid) throw new Error(`in the log: ${line}`)
      if (request_id?.startsWith(HIDDEN)) throw new HiddenRequestError(request_id)
      if (line.includes(MARKER)) throw new Error(`a log line repeats the input: ${line}`)
    }
  }

  return {
    profile,
    url,
    port: portOf(service),
    readMegabytes: () => residentMegabytes(child.pid),
    async expectHealthy() {
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the service exited with ${child.exitCode ?? child.signalCode}`)
      expectCleanLog()
      const { status } = await fetch(`${url}/readyz`)
      if (status !== 200) throw new Error(`/readyz returned ${status}, expected 200`)
    },
    async stop() {
      const code = await service.stop()
      if (code !== 0) throw new Error(`the service exited with ${code}, expected 0: ${standardError}`)
    },
  }
}
