import { readFileSync } from 'node:fs'
import { Session } from 'node:inspector/promises'
import { createRequire } from 'node:module'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { REPOSITORY } from 'testkit/documents.ts'
import { expect, test } from 'vitest'
import { UserId } from '../../src/ids.ts'

const SOURCES = fileURLToPath(new URL('apps/api/src/', REPOSITORY))

test('architecture.md lists the files that run for GET /users/{user_id}, and no others', async () => {
  // Loads the files by Node, because Vite turns each import into a function.
  const load = createRequire(SOURCES)
  const { PROFILES, createApp } = load('./app.ts')
  const { readConfig } = load('./config.ts')
  const { openDatabase } = load('./database/open.ts')
  const { createLog } = load('./observability/log.ts')
  const { serve } = load('./server/serve.ts')
  const config = readConfig({ DATABASE_URL: 'sqlite::memory:', PORT: '1' }, '/')
  const log = createLog('info', { write() {} })
  const database = await openDatabase(config.database, PROFILES.a.migrations)
  const app = createApp({ profile: PROFILES.a, database, log })
  const server = await serve(app, { ...config, port: 0 }, log)
  await PROFILES.a.storeDemo(database.db)
  const url = `${server.url}/users/${UserId.example}`
  await fetch(url) // runs what only a first request runs

  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true })
  expect((await fetch(url)).status).toBe(200)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  await server.close()
  await database.close()

  const executed = result
    .filter(({ functions }) =>
      functions.some(({ ranges }) => ranges.some(({ count }) => count > 0)),
    )
    .map(({ url }) => url.replace('file://', ''))
    .filter((file) => file.startsWith(SOURCES))
    .map((file) => relative(SOURCES, file))
  const page = readFileSync(new URL('docs/architecture.md', REPOSITORY), 'utf8')
  const [, section = ''] = /^## One request\n(.*?)^## /ms.exec(page) ?? []
  const listed = section.matchAll(/\(\.\.\/apps\/api\/src\/([^)]+\.ts)\)/g)
  expect(new Set(executed)).toEqual(
    new Set([...listed].map(([, file]) => file)),
  )
})
