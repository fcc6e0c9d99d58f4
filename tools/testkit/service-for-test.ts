import { expect, onTestFinished } from 'vitest'
import { databaseForTest, type Engine } from './engines.ts'
import { type Running, startService } from './process.ts'

export async function startServiceForTest(
  env: Record<string, string>,
  through: readonly string[] = [],
  args: readonly string[] = [],
): Promise<Running> {
  const service = await startService(env, through, () => {}, args)
  onTestFinished(async () => {
    await service.stop('SIGKILL')
  })
  return service
}

export function metricsUrl({ logLines }: Running): string {
  const [url] = logLines.map((line) => JSON.parse(line).metrics).filter(Boolean)
  if (url === undefined)
    throw new Error('the service has logged no URL of metrics')
  return url
}

export async function scrape(service: Running) {
  const response = await fetch(metricsUrl(service))
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const values = new Map<string, number>()
  for (const line of text
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))) {
    const [, series = '', value] = /^(\S+(?:\{.*\})?) (\S+)$/.exec(line) ?? []
    expect(values.has(series), `the series appears twice: ${line}`).toBe(false)
    values.set(series, Number(value))
  }
  return {
    text,
    values,
    sum(name: string, labels = '') {
      const has = (series: string) =>
        series.split('{')[0] === name && series.includes(labels)
      const found = [...values].filter(([series]) => has(series))
      return found.reduce((sum, [, value]) => sum + value, 0)
    },
  }
}

export async function startServiceWithMetrics(
  engine: Engine,
  env: Record<string, string> = {},
) {
  const database = await databaseForTest(engine)
  const service = await startServiceForTest({
    DATABASE_URL: database,
    METRICS_PORT: '0',
    ...env,
  })
  return { service, port: Number(new URL(service.url).port), database }
}
