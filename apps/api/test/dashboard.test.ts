import { readFile } from 'node:fs/promises'
import { dashboard } from 'testkit/dashboard.ts'
import { freshDatabase } from 'testkit/engines.ts'
import { startService } from 'testkit/process.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { scrape } from 'testkit/scrape.ts'
import { beforeAll, expect, test } from 'vitest'

const monitoring = await readFile(new URL('docs/operations/monitoring.md', REPOSITORY), 'utf8')
const [, block = ''] = /^```promql\n([\s\S]*?)^```$/m.exec(monitoring) ?? []

const queries: string[] = [
  ...block.trim().split('\n'),
  ...dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.flatMap(({ query }) => /^label_values\((\w+), \w+\)$/.exec(query)?.[1] ?? []),
]

/** The names in a query that are neither functions nor operators nor labels nor quoted. */
const metricsIn = (query: string) =>
  query
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|without)\s*\([^)]*\)|\bor\b/g, '')
    .match(/\b[a-z_]\w*\b(?!\s*\()/g) ?? []

/** The labels that a query reads, except `instance`, which Prometheus adds. */
const labelsIn = (query: string) =>
  [
    ...[...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) => inner.match(/\w+(?==|!)/g) ?? []),
    ...[...query.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, inner = '']) => inner.split(/\s*,\s*/)),
  ].filter((label) => label !== 'instance')

/** Names and labels of the series that a service reports after some requests, on SQLite and on PostgreSQL. */
const series: string[] = []

beforeAll(async () => {
  for (const engine of ['sqlite-file', 'postgres'] as const) {
    const { url, drop } = await freshDatabase(engine)
    const service = await startService({ DATABASE_URL: url, METRICS_PORT: '0' })
    await fetch(`${service.url}/teams`)
    // The metrics of garbage collection exist after the first collection, which large responses cause.
    let found: string[]
    do {
      await (await fetch(`${service.url}/docs/swagger-ui-dist/swagger-ui-bundle.js`)).text()
      found = [...(await scrape(service)).values.keys()]
    } while (!found.some((name) => name.startsWith('nodejs_gc_')))
    series.push(...found)
    await service.stop()
    await drop()
  }
})

test('the service has every metric and label that the dashboard and monitoring.md query', () => {
  expect(queries.length).toBeGreaterThan(20)
  for (const query of queries) {
    const metrics = metricsIn(query)
    expect(metrics.length, query).toBeGreaterThan(0)
    for (const metric of metrics) {
      const found = series.filter((name) => name.split('{')[0] === metric)
      expect(found.length, `${metric} in ${query}`).toBeGreaterThan(0)
      for (const label of labelsIn(query)) expect(found[0], query).toContain(`${label}="`)
    }
  }
})

test('monitoring.md names every metric of the service, and no other', () => {
  const ours = (names: string[]) =>
    new Set(
      names
        .map((name) => name.replace(/^(http_request_duration_seconds)_[a-z]+$/, '$1'))
        .filter((name) => /^(http|password|database)_/.test(name)),
    )
  const names = series.map((name) => name.replace(/\{.*/, ''))
  const documented = monitoring.replaceAll('database_pool_*', '').match(/\b[a-z_]+\b/g) ?? []
  expect(ours(documented)).toEqual(ours(names))
})
