import { readFileSync } from 'node:fs'
import {
  type Document,
  operationsOf,
  resolved,
  schemasIn,
} from 'testkit/document.ts'
import { formatTable, REPOSITORY, replaceSection } from 'testkit/documents.ts'
import manifest from '../../../package.json' with { type: 'json' }
import sizes from '../../../packages/typed-id/.size-limit.json' with {
  type: 'json',
}
import { PROFILES } from '../src/app.ts'
import type { OpenDatabase } from '../src/database/open.ts'
import { declaredRoutes } from '../src/http/routes.ts'
import { createMetrics } from '../src/observability/metrics.ts'
import { createRejections } from '../src/server/serve.ts'
import { EXPORTER } from '../src/tracing-variables.ts'
import { defaultOf, VARIABLE_GROUPS } from '../src/variables.ts'
import { importTable, lengthTable, versionTable } from './library.ts'
import { limitTable } from './limits.ts'
import { logTable } from './log-table.ts'

const FIGURES = {
  node: manifest.engines.node.replace('>=', ''),
  size: sizes[0]?.limit,
  ns: /^\| generate \| (\d+)/m.exec(
    readFileSync(new URL('docs/benchmarks.md', REPOSITORY), 'utf8'),
  )?.[1],
}

export async function updatePages(document: Document) {
  const variables = Object.entries<Variables>(VARIABLE_GROUPS).map(
    ([name, group]) => [`variables-${name}`, variableTable(group)] as const,
  )
  const maxItems = schemasIn(operationsOf(document)).find(
    ({ name }) => name === 'limit',
  )?.schema.maximum
  const pages = {
    'README.md': {},
    'CONTRIBUTING.md': {},
    'docs/index.md': {},
    'docs/guide/grammar.md': { lengths: lengthTable() },
    'docs/operations/configuration.md': Object.fromEntries(variables),
    'docs/operations/monitoring.md': {
      metrics: await metricTable(),
      log: logTable(),
      tracing: tracingTable(),
    },
    'docs/operations/overload.md': { limits: limitTable(maxItems) },
    'docs/operations/upgrade.md': { migrations: migrationTable() },
    'docs/service/index.md': { endpoints: endpointTable(document) },
    'packages/typed-id/README.md': {
      imports: await importTable(),
      versions: versionTable(),
    },
  }
  return Object.entries<Readonly<Record<string, string>>>(pages).map(
    ([name, tables]) => {
      const page = new URL(name, REPOSITORY)
      const current = readFileSync(page, 'utf8')
      let updated = current
      for (const [name, table] of Object.entries(tables))
        updated = replaceSection(updated, name, table)
      for (const [name, figure] of Object.entries(FIGURES))
        updated = updated.replaceAll(
          new RegExp(`(?<=<!-- ${name} -->).+(?=<!-- /${name} -->)`, 'g'),
          `${figure}`,
        )
      return { page, current, updated }
    },
  )
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

function tracingTable(): string {
  const rows = Object.entries(EXPORTER).map(([part, [expected]]) => [
    `\`OTEL_EXPORTER_OTLP_${part}\``,
    expected,
  ])
  return formatTable({ columns: ['variable', 'value'], rows })
}

function endpointTable(document: Document): string {
  const rows = declaredRoutes(PROFILES.a.app(UNUSED_DB).routes).map(
    ({ path, method, declaration: { id, summary, errors = [] } }) => [
      `\`${method.toUpperCase()} ${path}\``,
      summary,
      idsOf(document, id).join(', '),
      errors.map(({ status, detail }) => `${status} ${detail}`).join(', '),
    ],
  )
  const columns = ['endpoint', 'description', 'ids', 'errors']
  return formatTable({ columns, rows })
}

function idsOf(document: Document, id: string): string[] {
  const { parameters, requestBody } =
    operationsOf(document).find(({ operationId }) => operationId === id) ?? {}
  const body = requestBody?.content['application/json'].schema ?? {}
  const ids = schemasIn([parameters, resolved(document, body)])
  return [...new Set(ids.flatMap((part) => part['x-typed-id']?.prefix ?? []))]
}

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
    description:
      'makes addresses unique by a form; rewrites `users`, which needs free disk space of its size',
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

const UNUSED_DB = {} as OpenDatabase['db']
