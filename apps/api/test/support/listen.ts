import { type Client, clientAt } from 'testkit/client.ts'
import { test as base, inject } from 'vitest'
import { type AppOptions, createApp } from '../../src/app.ts'
import { readConfig } from '../../src/composition/config.ts'
import { PROFILES, type ProfileName } from '../../src/composition/variables.ts'
import type { Database } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/observability/log.ts'
import { type ServerLimits, serve } from '../../src/server/serve.ts'
import { databaseAt } from './database.ts'

export interface ListeningService extends Client {
  readonly url: string
  readonly port: number
  readonly db: Database
  readonly logLines: readonly string[]
  /** Returns the number of open connections. */
  connections(): number
  /** Stops listening, and closes the database unless the caller has opened it. */
  close(): Promise<void>
}

interface ListenOptions {
  /** Replaces parts of the app. */
  readonly options?: (db: Database) => Partial<AppOptions>
  /** Replaces limits of the server. */
  readonly limits?: Partial<ServerLimits>
  /** An open database. Without it, the service gets a new one in memory. */
  readonly db?: Database
}

/** Starts the service in this process, listening on a free port as `main.ts` does. */
export async function listen(
  profileName: ProfileName,
  { options = () => ({}), limits = {}, db: given }: ListenOptions = {},
): Promise<ListeningService> {
  const profile = PROFILES[profileName]
  const db = given ?? (await openDatabase(databaseAt('sqlite::memory:'), profile.migrations))
  const logLines: string[] = []
  const log = createLog('trace', { write: (line) => logLines.push(line) })
  const app = createApp({ profile, db, log, opaqueIdKeys: inject('opaqueIdKeys'), ...options(db) })
  const address = { port: 0, host: '127.0.0.1' }
  const server = await serve(app, { ...address, limits: { ...readConfig({}, '/').limits, ...limits } }, log)
  const { url } = server
  return {
    url,
    port: Number(new URL(url).port),
    db,
    logLines,
    connections: server.connections,
    ...clientAt(url),
    async close() {
      await server.close()
      if (given === undefined) await db.close()
    },
  }
}

/** Tests of Profile B, each with its own `service` on a socket. */
export const test = base.extend<{ service: ListeningService }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
  service: async ({}, use) => {
    const service = await listen('b')
    await use(service)
    await service.close()
  },
})
