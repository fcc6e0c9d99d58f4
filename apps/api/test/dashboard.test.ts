import { readFile } from 'node:fs/promises'
import { expect, onTestFinished, test } from 'vitest'
import { freshDatabase } from './support/engines.ts'
import { startService } from './support/process.ts'
import { scrape } from './support/scrape.ts'

const at = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

const dashboard = JSON.parse(await at('../monitoring/dashboard.json'))
const [, block = ''] = /^```promql\n([\s\S]*?)^```$/m.exec(await at('../README.md')) ?? []

const queries: string[] = [
  ...block.trim().split('\n'),
  ...dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  ),
  ...dashboard.templating.list
    .map(({ query }: { query: string }) => /^label_values\((\w+), \w+\)$/.exec(query)?.[1])
    .filter(Boolean),
]

/** Names that are neither a function's, nor a label's, nor in quotes. */
const metricsOf = (query: string) =>
  query
    .replace(/"[^"]*"/g, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]|\b(by|without)\s*\([^)]*\)/g, '')
    .match(/\b[a-z_]\w*\b(?!\s*\()/g) ?? []

/** Labels that are looked at, but for those that Prometheus itself adds. */
const labelsOf = (query: string) =>
  [
    ...[...query.matchAll(/\{([^}]*)\}/g)].flatMap(([, inner = '']) => inner.match(/\w+(?==|!)/g) ?? []),
    ...[...query.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, inner = '']) => inner.split(/\s*,\s*/)),
  ].filter((label) => label !== 'instance')

/** The names and labels of what a service tells that has done something on each engine. */
async function told(): Promise<string[]> {
  const series: string[] = []
  for (const engine of ['sqlite-file', 'postgres'] as const) {
    const { url, drop } = await freshDatabase(engine)
    const service = await startService({ DATABASE_URL: url, METRICS_PORT: '0' })
    onTestFinished(async () => {
      await service.stop()
      await drop()
    })
    await fetch(`${service.url}/teams`)
    // A collection of garbage has a metric from the first one on: big answers bring it about.
    for (let n = 0; n < 50; n += 1)
      await (await fetch(`${service.url}/docs/swagger-ui-dist/swagger-ui-bundle.js`)).text()
    series.push(...(await scrape(service)).values.keys())
  }
  return series
}

test('every metric and label of the dashboard and of the README is one that the service has', async () => {
  expect(queries.length).toBeGreaterThan(20)
  const series = await told()
  for (const query of queries) {
    const metrics = metricsOf(query)
    expect(metrics.length, query).toBeGreaterThan(0)
    for (const metric of metrics) {
      const its = series.filter((one) => one.split('{')[0] === metric)
      expect(its.length, `${metric} in ${query}`).toBeGreaterThan(0)
      for (const label of labelsOf(query)) expect(its[0], query).toContain(`${label}="`)
    }
  }
}, 20_000)

test('the README names every metric of the service but those of Node, and no other', async () => {
  const ours = (names: string[]) =>
    new Set(
      names
        .map((name) => name.replace(/^(http_request_duration_seconds)_[a-z]+$/, '$1'))
        .filter((name) => /^(http|password|database)_/.test(name)),
    )
  const names = (await told()).map((one) => one.replace(/\{.*/, ''))
  expect(ours((await at('../README.md')).match(/\b[a-z_]+\b/g) ?? [])).toEqual(ours(names))
}, 20_000)
