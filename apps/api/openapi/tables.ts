/**
 * Writes the tables of environment variables, endpoints, metrics and migrations in the
 * documents: `pnpm generate` reads them from the sources of the service. A test
 * fails when a document differs.
 */
import { readFileSync } from 'node:fs'
import { formatTable, REPOSITORY, replaceSection } from 'testkit/documents.ts'
import { PROFILES } from '../src/app.ts'
import type { OpenDatabase } from '../src/database/open.ts'
import { declaredRoutes } from '../src/http/routes.ts'
import { createMetrics } from '../src/observability/metrics.ts'
import { createRejections } from '../src/server/serve.ts'
import { defaultOf, VARIABLE_GROUPS } from '../src/variables.ts'

const page = (name: string) => new URL(`docs/${name}.md`, REPOSITORY)

/**
 * Returns the Markdown of each page with a generated table, and the same with
 * updated tables.
 */
export async function updatePages() {
  const variables = Object.entries<Variables>(VARIABLE_GROUPS).map(
    ([name, group]) => [`variables-${name}`, variableTable(group)] as const,
  )
  const pages = [
    [page('service/index'), [['endpoints', endpointTable()]]],
    [page('operations/configuration'), variables],
    [page('operations/monitoring'), [['metrics', await metricTable()]]],
    [page('operations/upgrade'), [['migrations', migrationTable()]]],
  ] as const
  return pages.map(([page, tables]) => {
    const current = readFileSync(page, 'utf8')
    const updated = tables.reduce(
      (text, [name, table]) => replaceSection(text, name, table),
      current,
    )
    return { page, current, updated }
  })
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

/** A new migration does not compile without an entry. */
const MIGRATIONS: Record<
  keyof typeof PROFILES.a.migrations,
  { description: string; postgres: string; sqlite: string }
> = {
  '0001-initial': {
    description: 'creates the tables',
    postgres: 'none',
    sqlite: 'the file against writes',
  },
  '0002-normalized-email': {
    description: 'makes addresses unique by a form',
    postgres:
      '`users` against reads and writes (ACCESS EXCLUSIVE) until it commits',
    sqlite: 'the file against writes; reads continue',
  },
}

function migrationTable(): string {
  const columns = ['migration', 'locks on PostgreSQL', 'locks on SQLite']
  const names = Object.keys(
    PROFILES.a.migrations,
  ) as (keyof typeof MIGRATIONS)[]
  const rows = names.map((name) => {
    const { description, postgres, sqlite } = MIGRATIONS[name]
    return [`\`${name}\`: ${description}`, postgres, sqlite]
  })
  return formatTable({ columns, rows })
}

/** The descriptions of endpoints do not need a database. */
const UNUSED_DB = {} as OpenDatabase['db']
