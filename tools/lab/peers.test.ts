import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startOnPostgres } from './bench/campaign.ts'
import { compareResponses } from './bench/compare-responses.ts'
import { selectServers } from './bench/servers.ts'
import { startServer } from './bench/start-server.ts'
import { withScope } from './kit/scope.ts'
import { seed } from './kit/seed.ts'

test('every peer of the benchmark responds to reads and writes as the service does, byte for byte', {}, () =>
  withScope(async (scope) => {
    const seeded = await seed(join(scope.createFolder('api-peers-'), 'seed.db'), 300)
    const names = selectServers().filter((name) => name !== 'bare-hono')
    const servers = await Promise.all(names.map((name) => startServer(scope, name, seeded)))
    expect(servers.map(({ name }) => name)).toEqual(expect.arrayContaining(['ours', 'nestjs-typeorm']))
    expect(await compareResponses(servers, seeded)).toBeGreaterThan(50)
  }),
)

test('every peer on PostgreSQL does, too', {}, () =>
  withScope(async (scope) => {
    const seeded = await seed(join(scope.createFolder('api-peers-'), 'seed.db'), 300)
    const names = selectServers(undefined, 'postgres')
    expect(names).toEqual(expect.arrayContaining(['ours', 'fastify-pg', 'nestjs-typeorm']))
    const { servers } = await startOnPostgres(scope, names, seeded)
    expect(await compareResponses(servers, seeded)).toBeGreaterThan(50)
  }),
)
