/**
 * The tables of environment variables, endpoints and metrics in the documents,
 * from the sources of the service. `pnpm generate` writes the tables. A test
 * fails when a document differs.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { PROFILES } from 'api/app.ts'
import { defaultOf, VARIABLE_GROUPS } from 'api/config.ts'
import type { OpenDatabase } from 'api/database/open.ts'
import { declaredRoutes } from 'api/http/endpoint.ts'
import { createMetrics } from 'api/observability/metrics.ts'
import { createRejections } from 'api/server/serve.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { formatTable, replaceSection } from 'testkit/tables.ts'

/** A table of a document that is generated from the sources of the service. */
export interface Section {
  /** The path of the document from the root of the repository. */
  readonly file: string
  /** The name of the section in the markers around the table. */
  readonly name: string
  readonly table: string
}

const SERVICE = 'docs/service/index.md'
const [CONFIGURATION, MONITORING] = [
  'docs/operations/configuration.md',
  'docs/operations/monitoring.md',
]

export async function createSections(): Promise<Section[]> {
  const groups = Object.entries<Variables>(VARIABLE_GROUPS)
  return [
    { file: SERVICE, name: 'endpoints', table: endpointTable() },
    ...groups.map(([name, variables]) => ({
      file: CONFIGURATION,
      name: `variables-${name}`,
      table: variableTable(variables),
    })),
    { file: MONITORING, name: 'metrics', table: await metricTable() },
  ]
}

type Variables = Readonly<Record<string, Parameters<typeof defaultOf>[0]>>

function variableTable(variables: Variables): string {
  const rows = Object.entries(variables).map(([name, schema]) => {
    const value = defaultOf(schema)
    return [
      `\`${name}\``,
      value === undefined ? 'unset' : `\`${value}\``,
      schema.description ?? '',
    ]
  })
  return formatTable({ columns: ['variable', 'default', 'description'], rows })
}

/**
 * Returns a table of the endpoints of Profile A, with the errors that each
 * endpoint declares.
 */
function endpointTable(): string {
  const rows = declaredRoutes(PROFILES.a.app(UNUSED_DB).routes).map(
    ({ method, path, declaration: { summary, errors = [] } }) => [
      `\`${method.toUpperCase()} ${path}\``,
      summary,
      errors.map(({ status, detail }) => `${status} ${detail}`).join(', '),
    ],
  )
  return formatTable({ columns: ['endpoint', 'description', 'errors'], rows })
}

/**
 * Returns a table of the service's own metrics, without prom-client's metrics
 * of Node and the process.
 */
async function metricTable(): Promise<string> {
  const { registry, watch, watchService } = createMetrics()
  watchService({
    server: {
      running: () => 0,
      connections: () => 0,
      rejections: createRejections(),
    },
    database: { poolWaiting: () => 0 },
  })
  PROFILES.a.app(UNUSED_DB, watch)
  const rows = (await registry.getMetricsAsJSON())
    .filter(({ name }) => !/^(nodejs|process)_/.test(name))
    .map(({ name, type, help }) => [`\`${name}\``, String(type), help])
  return formatTable({ columns: ['metric', 'type', 'description'], rows })
}

/** Endpoints are described without their database. */
const UNUSED_DB = {} as OpenDatabase['db']

if (import.meta.main)
  for (const { file, name, table } of await createSections()) {
    const document = new URL(file, REPOSITORY)
    writeFileSync(
      document,
      replaceSection(readFileSync(document, 'utf8'), name, table),
    )
  }
