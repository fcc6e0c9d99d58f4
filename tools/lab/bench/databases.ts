import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import { freshPostgresDatabase, startPostgres } from 'testkit/postgres.ts'
import type { Scope } from '../kit/scope.ts'
import { type Seeded, seed } from '../kit/seed.ts'

export const DATABASES = ['sqlite', 'postgres'] as const
export type DatabaseName = (typeof DATABASES)[number]

export interface Template {
  readonly seeded: Seeded
  /** Copies the database, and returns the URL of the copy. */
  copy(): Promise<string>
  readonly pids: readonly number[]
}

export const createTemplate: Record<
  DatabaseName,
  (scope: Scope, users: number) => Promise<Template>
> = {
  async sqlite(scope, users) {
    const folder = scope.createFolder('api-bench-')
    const file = join(folder, 'seed.db')
    const seeded = await seed(`sqlite:${file}`, users)
    let copies = 0
    const copy = async () => {
      copies += 1
      const path = join(folder, `${copies}.db`)
      copyFileSync(file, path)
      return `sqlite:${path}`
    }
    return { seeded, copy, pids: [] }
  },
  /** Creates all copies on one server, which flushes each commit. */
  async postgres(scope, users) {
    const server = await startPostgres({ isDurable: true })
    scope.defer(server.stop)
    const template = await freshPostgresDatabase(server.url)
    const seeded = await seed(template.url, users)
    const name = new URL(template.url).pathname.slice(1)
    const copy = async () => (await freshPostgresDatabase(server.url, name)).url
    return { seeded, copy, pids: [server.pid()] }
  },
}
