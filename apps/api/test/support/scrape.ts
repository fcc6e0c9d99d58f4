import { expect, onTestFinished } from 'vitest'
import { type Engine, freshDatabase } from './engines.ts'
import { type Running, startService } from './process.ts'

/** One scrape, by `name{labels}` as it is written. */
export interface Scrape {
  readonly text: string
  readonly values: ReadonlyMap<string, number>
  /** The sum of all time series of a name whose labels contain this text. */
  sum(name: string, labels?: string): number
}

/** Where a service that was started with METRICS_PORT tells its metrics, by its own log. */
export function metricsUrl({ logLines }: Running): string {
  const [url] = logLines.map((line) => JSON.parse(line).metrics).filter(Boolean)
  if (url === undefined) throw new Error('the service has no metrics')
  return url
}

export async function scrape(service: Running): Promise<Scrape> {
  const response = await fetch(metricsUrl(service))
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const values = new Map<string, number>()
  for (const line of text.split('\n').filter((line) => line && !line.startsWith('#'))) {
    const [, series = '', value] = /^(\S+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    expect(values.has(series), line).toBe(false)
    values.set(series, Number(value))
  }
  return {
    text,
    values,
    sum: (name, labels = '') =>
      [...values]
        .filter(([series]) => series.split('{')[0] === name && series.includes(labels))
        .reduce((sum, [, value]) => sum + value, 0),
  }
}

/** A service with metrics on a database of its own until the end of the test. */
export async function servingMetrics(engine: Engine, env: Record<string, string> = {}) {
  const { url, drop } = await freshDatabase(engine)
  const service = await startService({ DATABASE_URL: url, METRICS_PORT: '0', ...env })
  onTestFinished(async () => {
    await service.stop()
    await drop()
  })
  const send = async (method: string, path: string, body?: unknown) => {
    const json = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const response = await fetch(service.url + path, { method, ...(body !== undefined && json) })
    await response.text()
    return response.status
  }
  return { service, send, port: Number(new URL(service.url).port), database: url }
}
