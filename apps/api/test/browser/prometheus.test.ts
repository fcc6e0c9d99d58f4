import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderForTest } from 'testkit/engines.ts'
import { freePorts } from 'testkit/ports.ts'
import { startPostgres } from 'testkit/postgres.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { startProgram, startProxy } from 'testkit/reverse-proxy.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, onTestFinished, test } from 'vitest'

const CONFIGURATION = new URL('../../deploy/prometheus.yml', import.meta.url)
const ALERTS = new URL('../../deploy/alerts.yml', import.meta.url)
const HAPROXY = await readFile(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')

/** Replaces a string that must exist. */
function replace(text: string, from: string, to: string): string {
  expect(text).toContain(from)
  return text.replace(from, to)
}

test('each alert has a section of the runbook', async () => {
  const runbook = await readFile(new URL('docs/operations/alerts.md', REPOSITORY), 'utf8')
  const sections = runbook.split(/^## /m).slice(1)
  const alerts = [...(await readFile(ALERTS, 'utf8')).matchAll(/- alert: (\w+)[\s\S]*?#(\w+)$/gm)]
  expect(sections.map((section) => section.split('\n')[0])).toEqual(alerts.map(([, name]) => name))
  for (const [, name = '', anchor] of alerts) expect(anchor).toBe(name.toLowerCase())
  for (const section of sections)
    expect(section).toMatch(/\*\*Meaning\*\*[\s\S]*\*\*Check\*\*[\s\S]*\*\*Action\*\*/)
})

test('the alert of an overloaded instance fires for each limit, also of Profile B, which has no passwords', async () => {
  const folder = await folderForTest()
  const input_series = [
    'http_rejections_total{instance="b",reason="requests"}',
    'password_hashes_rejected_total{instance="a"}',
  ]
  const fired = (instance: string) => ({
    exp_labels: { severity: 'warning', instance },
    exp_annotations: {
      summary: `${instance} rejects requests because of its limits`,
      runbook: 'docs/operations/alerts.md#overloaded',
    },
  })
  const cases = {
    rule_files: [fileURLToPath(ALERTS)],
    tests: [
      {
        interval: '1m',
        input_series: input_series.map((series) => ({ series, values: '0+1x20' })),
        alert_rule_test: [{ eval_time: '15m', alertname: 'Overloaded', exp_alerts: ['a', 'b'].map(fired) }],
      },
    ],
  }
  await writeFile(join(folder, 'cases.yml'), JSON.stringify(cases))
  expect(String(execFileSync('promtool', ['test', 'rules', join(folder, 'cases.yml')]))).toContain('SUCCESS')
})

test('Prometheus scrapes two instances and HAProxy, and every query of the page about monitoring returns data', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  // One instance per engine: some metrics exist on one of them only.
  const metrics = await freePorts(2)
  const instances = await Promise.all(
    [postgres.url, 'sqlite::memory:'].map((DATABASE_URL, n) =>
      startServiceForTest({ DATABASE_URL, METRICS_PORT: `${metrics[n]}` }),
    ),
  )
  const [SERVER_1 = '', SERVER_2 = ''] = instances.map(({ url }) => new URL(url).host)
  let stats = ''
  const proxy = await startProxy(
    'HAProxy',
    0,
    ({ port, secondPort }) => {
      stats = `127.0.0.1:${secondPort}`
      const env = { LISTEN: `127.0.0.1:${port}`, STATS: stats, SERVER_1, SERVER_2 }
      return { text: HAPROXY, env }
    },
    '/readyz',
  )

  const file = await readFile(CONFIGURATION, 'utf8')
  const targets: [string, string][] = [
    ['api-1:9464', `127.0.0.1:${metrics[0]}`],
    ['api-2:9464', `127.0.0.1:${metrics[1]}`],
    ['haproxy:8405', stats],
    ['scrape_interval: 15s', 'scrape_interval: 500ms\n  evaluation_interval: 500ms'],
    ['[alerts.yml]', `[${JSON.stringify(fileURLToPath(ALERTS))}]`],
  ]
  const { query, healthOfRules } = await startPrometheus(
    targets.reduce((text, [a, b]) => replace(text, a, b), file),
  )
  const up = async () => (await query('up')).map(({ metric, value }) => [metric.job, value[1]]).sort()
  await expect.poll(up).toEqual([['haproxy', '1'], ...[1, 2].map(() => ['typed-id-api', '1'])])

  const page = await readFile(new URL('docs/operations/monitoring.md', REPOSITORY), 'utf8')
  const queries =
    /^```promql\n([\s\S]*?)\n```$/m.exec(page)?.[1]?.replaceAll('[5m]', '[10s]').split('\n') ?? []
  expect(queries.length).toBeGreaterThan(3)
  /** Sends requests, and returns the queries of the page without data. */
  const withoutData = async () => {
    for (const path of ['/teams', '/docs/swagger-ui-dist/swagger-ui-bundle.js', '/users/user-1'])
      for (let n = 0; n < 4; n += 1) await (await fetch(proxy.url + path)).arrayBuffer()
    for (const { post } of instances) await post('/teams', { name: 'measured' })
    const results = await Promise.all(queries.map(query))
    return queries.filter(
      (_, n) => !results[n]?.some(({ value: [, value] }) => Number.isFinite(Number(value))),
    )
  }
  await expect.poll(withoutData, { interval: 500 }).toEqual([])
  const statuses = async () =>
    (await query('sum by (status) (http_request_duration_seconds_count)'))
      .map(({ metric }) => metric.status)
      .sort()
  const health = async () => new Set(await healthOfRules())
  await expect.poll(health, { timeout: 90_000, interval: 500 }).toEqual(new Set(['ok']))
  await expect.poll(statuses).toEqual(['200', '201', '422'])
})

interface Result {
  readonly metric: Readonly<Record<string, string>>
  /** The time, and the value as a string. */
  readonly value: readonly [number, string]
}

/** Starts Prometheus with a configuration. It ends with the test. */
async function startPrometheus(configuration: string) {
  const folder = await folderForTest()
  const file = join(folder, 'prometheus.yml')
  await writeFile(file, configuration)
  const [port] = await freePorts(1)
  const output = startProgram('/usr/bin/prometheus', 'prometheus', [
    `--config.file=${file}`,
    `--storage.tsdb.path=${folder}/data`,
    `--web.listen-address=127.0.0.1:${port}`,
  ])
  const url = `http://127.0.0.1:${port}`
  const isReady = () => fetch(`${url}/-/ready`).then(({ ok }) => ok, output)
  await expect.poll(isReady).toBe(true)
  async function get(path: string, parameters: Record<string, string>) {
    const response = await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`)
    // biome-ignore lint/suspicious/noExplicitAny: each path has its own data.
    const { data, error } = (await response.json()) as any
    if (error !== undefined) throw new Error(`${JSON.stringify(parameters)}: ${error}`)
    return data
  }
  return {
    /** Evaluates an expression now. */
    query: async (expression: string): Promise<Result[]> =>
      (await get('query', { query: expression })).result,
    /** Returns the health of each alerting rule, which is "ok" after it was evaluated without an error. */
    healthOfRules: async (): Promise<string[]> =>
      (await get('rules', {})).groups.flatMap(({ rules }: { rules: { health: string }[] }) =>
        rules.map(({ health }) => health),
      ),
  }
}
