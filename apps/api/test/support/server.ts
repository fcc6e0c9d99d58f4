import { test as base } from 'vitest'
import { type AppOptions, createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config/config.ts'
import { PROFILES, type ProfileName } from '../../src/config/variables.ts'
import type { Database } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/observability/log.ts'
import { type ServerLimits, serve } from '../../src/server/serve.ts'
import { type Client, clientOf } from './client.ts'
import { databaseAt } from './database.ts'

export interface Listening extends Client {
  readonly url: string
  readonly port: number
  readonly db: Database
  readonly logLines: readonly string[]
  connections(): Promise<number>
  close(): Promise<void>
}

/** A service on a database in memory, listening on a socket as `main.ts` does; `options` replace its parts, `limits` its limits. */
export async function listen(
  profileName: ProfileName,
  options: (db: Database) => Partial<AppOptions> = () => ({}),
  limits: Partial<ServerLimits> = {},
): Promise<Listening> {
  const profile = PROFILES[profileName]
  const db = await openDatabase(databaseAt('sqlite::memory:'), profile.migrations)
  const logLines: string[] = []
  const log = createLog('trace', { write: (line) => logLines.push(line) })
  const app = createApp({ profile, db, log, ...options(db) })
  const address = { port: 0, host: '127.0.0.1' }
  const server = await serve(app, { ...address, limits: { ...readConfig({}, '/').limits, ...limits } }, log)
  const { url } = server
  return {
    url,
    port: Number(new URL(url).port),
    db,
    logLines,
    connections: async () => server.connections(),
    ...clientOf((path, init) => fetch(url + path, init)),
    async close() {
      await server.close()
      await db.close()
    },
  }
}

/** Tests of Profile B, each with a `service` of its own on a real socket. */
export const test = base.extend<{ service: Listening }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
  service: async ({}, use) => {
    const service = await listen('b')
    await use(service)
    await service.close()
  },
})
