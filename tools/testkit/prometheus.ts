import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { freePorts } from './ports.ts'
import { startProgram } from './program.ts'

interface Result {
  readonly metric: Readonly<Record<string, string>>
  /** The time, and the value as a text. */
  readonly value: readonly [number, string]
}

export interface RunningPrometheus {
  /** Evaluates an expression now. */
  query(expression: string): Promise<Result[]>
  /** Returns the alerting rules, whose health is "ok" after they were evaluated without an error. */
  rules(): Promise<readonly { readonly name: string; readonly health: string }[]>
  /** Returns the values of a label of a metric, as Grafana's `label_values(metric, label)` does. */
  labelValues(metric: string, label: string): Promise<string[]>
}

/** Starts Prometheus with a configuration. It ends with the test. */
export async function startPrometheus(configuration: string): Promise<RunningPrometheus> {
  const folder = await mkdtemp(join(tmpdir(), 'api-prometheus-'))
  onTestFinished(() => rm(folder, { recursive: true }))
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
    query: async (expression) => (await get('query', { query: expression })).result,
    rules: async () => (await get('rules', {})).groups.flatMap(({ rules }: { rules: unknown[] }) => rules),
    labelValues: (metric, label) => get(`label/${label}/values`, { 'match[]': metric }),
  }
}
