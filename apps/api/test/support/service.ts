import { test as base, expect, inject } from 'vitest'
import { createApp, PROFILES } from '../../src/app.ts'
import { openDatabase } from '../../src/database/connect.ts'
import type { Database } from '../../src/database/database.ts'
import { createLog } from '../../src/log.ts'
import { type Engine, freshDatabase } from './engines.ts'

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine
  }
}

/** Every password of the tests begins like this, so that a leak anywhere can be seen. */
export const PASSWORD = 'correct-horse-battery-staple'

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body as JSON, for assertions. */
  // biome-ignore lint/suspicious/noExplicitAny: tests assert what it is.
  readonly json: any
}

export interface Service {
  readonly db: Database
  readonly logLines: readonly string[]
  request(path: string, init?: RequestInit): Promise<Answer>
  get(path: string): Promise<Answer>
  post(path: string, body?: unknown): Promise<Answer>
  patch(path: string, body: unknown): Promise<Answer>
  delete(path: string): Promise<Answer>
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
    const db = await openDatabase(url, profile.migrations)
    const logLines: string[] = []
    const app = createApp({ profile, db, log: createLog('trace', { write: (line) => logLines.push(line) }) })
    const texts: string[] = []

    const request = async (path: string, init?: RequestInit): Promise<Answer> => {
      const response = await app.request(path, init)
      const text = await response.text()
      texts.push(text)
      const isJson = response.headers.get('content-type') === 'application/json'
      return {
        status: response.status,
        headers: response.headers,
        text,
        json: isJson && text ? JSON.parse(text) : undefined,
      }
    }
    const send = (method: string) => (path: string, body?: unknown) =>
      request(path, {
        method,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      })

    await use({
      db,
      logLines,
      request,
      get: send('GET'),
      post: send('POST'),
      patch: send('PATCH'),
      delete: send('DELETE'),
    })

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
