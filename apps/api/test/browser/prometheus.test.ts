import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { folderForTest } from 'testkit/engines.ts'
import { startPostgres } from 'testkit/postgres.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { startHaproxy } from 'testkit/reverse-proxy.ts'
import { startServer } from 'testkit/server.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { freePorts } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'

const CONFIGURATION = new URL('../../deploy/prometheus.yml', import.meta.url)
const HAPROXY = await readFile(new URL('../../deploy/haproxy.cfg', import.meta.url), 'utf8')

/** Replaces a string that must exist. */
function replace(text: string, from: string, to: string): string {
  expect(text).toContain(from)
  return text.replace(from, to)
}

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
  const hosts = instances.map(({ url }) => new URL(url).host)
  const proxy = await startHaproxy(HAPROXY, hosts, '/readyz')

  const file = await readFile(CONFIGURATION, 'utf8')
  const targets: [string, string][] = [
    ['api-1:9464', `127.0.0.1:${metrics[0]}`],
    ['api-2:9464', `127.0.0.1:${metrics[1]}`],
    ['haproxy:8405', proxy.stats],
    ['scrape_interval: 15s', 'scrape_interval: 500ms'],
  ]
  const query = await startPrometheus(targets.reduce((text, [a, b]) => replace(text, a, b), file))
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
  await expect.poll(statuses).toEqual(['200', '201', '422'])
})

interface Result {
  readonly metric: Readonly<Record<string, string>>
  /** The time, and the value as a string. */
  readonly value: readonly [number, string]
}

/** Starts Prometheus with a configuration, and returns a function that queries it. It ends with the test. */
async function startPrometheus(configuration: string) {
  const folder = await folderForTest()
  const file = join(folder, 'prometheus.yml')
  await writeFile(file, configuration)
  const [port] = await freePorts(1)
  const { stop } = await startServer(
    '/usr/bin/prometheus',
    [`--config.file=${file}`, `--storage.tsdb.path=${folder}/data`, `--web.listen-address=127.0.0.1:${port}`],
    'Server is ready to receive web requests',
  )
  onTestFinished(() => stop('SIGKILL'))
  const url = `http://127.0.0.1:${port}`
  /** Evaluates an expression now. */
  return async (expression: string): Promise<Result[]> => {
    const response = await fetch(`${url}/api/v1/query?${new URLSearchParams({ query: expression })}`)
    const { data, error } = (await response.json()) as { data: { result: Result[] }; error?: string }
    if (error !== undefined) throw new Error(`${expression}: ${error}`)
    return data.result
  }
}
