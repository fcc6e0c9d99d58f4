import { type PoolMode, startPgbouncer } from 'testkit/pgbouncer.ts'
import { freshPostgresDatabase } from 'testkit/postgres-database.ts'
import { findDifferences, REQUESTS_PER_TURN, recordTranscripts, type Transcript } from 'testkit/transcript.ts'
import { choices, defineCampaign, number } from '../kit/campaign.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { startDatabase, startService } from '../kit/service.ts'
import { round } from '../kit/statistics.ts'

const INSTANCES = 2

/** Connections of one instance. */
const POOL_SIZE = 5

/**
 * Connections of PgBouncer to PostgreSQL. In transaction mode fewer than the instances have, so that they are shared;
 * in session mode each connection of an instance needs one server connection.
 */
const SERVER_CONNECTIONS = { transaction: 4, session: INSTANCES * POOL_SIZE } as const satisfies Record<
  PoolMode,
  number
>

const MODES = Object.keys(SERVER_CONNECTIONS) as PoolMode[]

export interface Comparison {
  readonly requests: number
  readonly clients: number
  readonly modes: readonly PoolMode[]
}

/** One way to PostgreSQL: its responses, and those that differ from the responses without PgBouncer. */
export interface Result {
  readonly connection: 'direct' | PoolMode
  readonly requests: number
  readonly perSecond: number
  readonly differences: readonly string[]
}

export const campaign = defineCampaign({
  summary: 'compares the responses of two instances through PgBouncer with those of a direct connection',
  duration: '8 minutes',
  needs: 'pgbouncer',
  options: {
    requests: number('requests per mode', 100_000),
    clients: number('concurrent clients', 16),
    modes: choices('modes of PgBouncer', MODES),
  },
  async run(comparison) {
    const results = await compareWithDirect(comparison)
    const rows = results.map(({ connection, requests, perSecond, differences }) => [
      connection === 'direct' ? 'without PgBouncer' : `PgBouncer, ${connection} mode`,
      ...[requests, round(perSecond), differences.length],
    ])
    const columns = ['connection', 'requests', 'requests/s', 'different responses']
    return { table: { columns, rows }, failures: findFailures(results) }
  },
})

export const findFailures = (results: readonly Result[]): string[] =>
  results.flatMap(({ connection, differences }) =>
    differences.map((difference) => `${connection}: ${difference}`),
  )

/** Records the same requests on an empty database, directly and through PgBouncer in each mode. */
export function compareWithDirect({ requests, clients, modes }: Comparison): Promise<Result[]> {
  return withScope(async (scope) => {
    const server = await startDatabase(scope, 'postgres')
    const turns = Math.ceil(requests / (clients * REQUESTS_PER_TURN))
    const record = async (connection: Result['connection']) => {
      const database = await freshPostgresDatabase(server.url)
      const url = connection === 'direct' ? database.url : await startPooler(scope, database.url, connection)
      const env = { DATABASE_URL: url, DATABASE_POOL_SIZE: `${POOL_SIZE}` }
      const services = await Promise.all(Array.from({ length: INSTANCES }, () => startService(scope, env)))
      const started = performance.now()
      const transcripts = await recordTranscripts(
        services.map((service) => service.url),
        { clients, turns },
      )
      const seconds = (performance.now() - started) / 1000
      await Promise.all(services.map((service) => service.stop()))
      return { transcripts, perSecond: transcripts.flat().length / seconds }
    }
    const direct = await record('direct')
    const results = [toResult('direct', direct, direct)]
    for (const mode of modes) results.push(toResult(mode, await record(mode), direct))
    return results
  })
}

interface Recorded {
  readonly transcripts: readonly Transcript[]
  readonly perSecond: number
}

const toResult = (
  connection: Result['connection'],
  { transcripts, perSecond }: Recorded,
  direct: Recorded,
): Result => ({
  ...{ connection, perSecond, requests: transcripts.flat().length },
  differences: findDifferences(transcripts, direct.transcripts),
})

async function startPooler(scope: Scope, database: string, mode: PoolMode): Promise<string> {
  const options = { mode, serverConnections: SERVER_CONNECTIONS[mode] }
  const pooler = await startPgbouncer(database, options, scope.own)
  scope.defer(pooler.stop)
  return pooler.url
}
