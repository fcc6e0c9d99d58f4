import { test as base, expect, inject } from 'vitest'
import { createApp } from '../../src/app.ts'
import { PROFILES } from '../../src/config/variables.ts'
import type { Database } from '../../src/database/database.ts'
import { openDatabase } from '../../src/database/open.ts'
import { createLog } from '../../src/observability/log.ts'
import { type Answer, type Client, clientOf } from './client.ts'
import { databaseAt } from './database.ts'
import { type Engine, freshDatabase } from './engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine
  }
}

/** Every password of the tests begins like this, so that a leak anywhere can be seen. */
export const PASSWORD = 'correct-horse-battery-staple'

export interface Service extends Client {
  readonly db: Database
  /** The answer itself, to be read bit by bit. */
  fetch(path: string): Promise<Response>
  readonly logLines: readonly string[]
}

interface Fixtures {
  /** The service of Profile A on a fresh database of the engine under test. */
  readonly service: Service
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the dependencies of a fixture from this pattern.
  service: async ({}, use) => {
    const { url, drop } = await freshDatabase(inject('engine'))
    const profile = PROFILES.a
    const db = await openDatabase(databaseAt(url), profile.migrations)
    const logLines: string[] = []
    const app = createApp({ profile, db, log: createLog('trace', { write: (line) => logLines.push(line) }) })
    const texts: string[] = []
    const client = clientOf(async (path, init) => {
      const response = await app.request(path, init)
      texts.push(await response.clone().text())
      return response
    })

    await use({ db, logLines, ...client, fetch: async (path) => app.request(path) })

    for (const told of [...texts, ...logLines]) expectNoSecret(told)
    for (const line of logLines) expect(line, 'an e-mail in the log').not.toMatch(/@example/i)
    await db.close()
    await drop()
  },
})

function expectNoSecret(told: string): void {
  expect(told).not.toContain(PASSWORD)
  expect(told).not.toContain('$argon2')
}

let people = 0

/** A body for POST /users that no other test has sent. */
export function newUser(fields: Record<string, unknown> = {}) {
  people += 1
  return { email: `person-${people}@example.com`, name: `Person ${people}`, password: PASSWORD, ...fields }
}

/** Creates something and returns it, whatever it is. */
export async function created(answer: Promise<Answer>) {
  const { status, json } = await answer
  expect(status).toBe(201)
  return json
}
