import { expect, test } from 'vitest'
import { compareResponses } from './bench/compare-responses.ts'
import { DATABASES, selectServers } from './bench/servers.ts'
import { startServers } from './bench/start-server.ts'
import { withScope } from './kit/scope.ts'

const EXPECTED = {
  sqlite: ['ours', 'shipped', 'fastify-sqlite', 'express-drizzle'],
  postgres: [
    'ours',
    'shipped',
    'fastify-pg',
    'fastify-postgres',
    'express-drizzle',
  ],
}

test.each(DATABASES)(
  'on %s, every peer of the benchmark responds to reads and writes as the service does, byte for byte',
  (database) =>
    withScope(async (scope) => {
      const names = selectServers(database)
      expect(names).toEqual(expect.arrayContaining(EXPECTED[database]))
      const { servers, seeded } = await startServers(
        scope,
        names,
        database,
        300,
      )
      expect(await compareResponses(servers, seeded)).toBeGreaterThan(50)
    }),
)
