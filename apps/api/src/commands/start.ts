import manifest from 'api/package.json' with { type: 'json' }
import type { Logger } from 'pino'
import { createApp, PROFILES } from '../app.ts'
import type { Config } from '../config.ts'
import { openDatabase, reasonOf, withoutSecrets } from '../database/open.ts'
import { inSetting, OperatorError } from '../errors.ts'
import { UserId } from '../ids.ts'
import type { LogOutput } from '../observability/log.ts'
import type { Profile } from '../profile.ts'
import { serve } from '../server/serve.ts'
import { serveMetrics } from '../server/serve-metrics.ts'

export const VERSION: string = manifest.version

export const IS_BUILT = !import.meta.url.endsWith('.ts')

export const commandLine = (command: string) =>
  IS_BUILT ? `node main.js ${command}` : `pnpm --filter api ${command}`

interface StartOptions {
  readonly log: Logger
  readonly output: LogOutput
  readonly stopSignal: Promise<string>
  readonly demo?: boolean
  readonly isTerminal?: boolean
  readonly isPretty?: boolean
}

export async function start(
  config: Config,
  options: StartOptions,
): Promise<void> {
  const { log, output, stopSignal } = options
  const { host, limits, profileName, metricsPort } = config
  assertClock()
  const stopping = new AbortController()
  let deadline: Promise<void> | undefined
  const closing: (() => Promise<unknown>)[] = []
  try {
    // Loads tracing and metrics only if configured, because their packages
    // delay the start.
    const tracing = config.tracing
      ? (await import('../observability/tracing.ts')).startTracing(log)
      : undefined
    if (tracing) closing.push(tracing.close)
    const metrics =
      metricsPort === undefined
        ? undefined
        : (await import('../observability/metrics.ts')).createMetrics()

    // A database may never respond, so a stop signal ends the wait for it.
    const opened = await Promise.race([
      openWithRows(config, options, metrics?.countError),
      stopSignal,
    ])
    if (typeof opened === 'string') return
    closing.push(opened.close)
    for (const reason of opened.warnings ?? [])
      log.warn({ reason }, 'connection warning')

    const app = createApp({
      profile: PROFILES[profileName],
      corsOrigins: config.corsOrigins,
      corsCredentials: config.corsCredentials,
      version: VERSION,
      database: opened,
      log,
      observers: [metrics?.onResponse, tracing?.onResponse],
      watch: metrics?.watch,
      stopping: stopping.signal,
      logsPaths: options.isPretty ?? false,
    })

    const listen = async () => {
      const metricsUrl =
        metrics &&
        (await serveMetrics(
          { port: metricsPort ?? 0, host },
          metrics.registry,
          (path) => app.request(path),
        ).catch(inSetting('HOST, METRICS_PORT')))
      const server = await serve(app, config, log).catch(
        inSetting('HOST, PORT'),
      )
      return { metricsUrl, server }
    }
    const listening = await Promise.race([listen(), stopSignal])
    if (typeof listening === 'string') return
    const { metricsUrl, server } = listening
    metrics?.watchService({ server, database: opened })

    const urls = {
      url: server.url,
      docs: `${server.url}/docs`,
      metrics: metricsUrl,
      try: options.demo
        ? `curl ${server.url}/users/${UserId.example}`
        : undefined,
    }
    if (options.isTerminal) output.print(banner(config, urls))
    else
      log.info({ ...urls, profile: profileName, version: VERSION }, 'listening')
    log.info({ signal: await stopSignal }, 'stopping')
    deadline = pause(limits.drainMs + limits.stopMs)
    stopping.abort()
    await server.close()
  } finally {
    const closed = Promise.all(closing.map((close) => close()))
    await Promise.race([closed, deadline ?? pause(limits.stopMs)])
  }
  log.info('stopped')
}

function assertClock(): void {
  try {
    UserId.generate()
  } catch (error) {
    throw new OperatorError(`clock of this machine: ${reasonOf(error)}`)
  }
}

async function openWithRows(
  config: Config,
  { log, demo }: StartOptions,
  onError?: (error: unknown) => void,
) {
  const { migrating, profileName } = config
  const { migrations, storeDemo }: Profile = PROFILES[profileName]
  const database = await openDatabase(
    {
      ...config.database,
      log: (event) => {
        if (event.level === 'error') onError?.(event.error)
      },
    },
    migrations,
    migrating ? undefined : commandLine('migrate'),
  )
  if (demo)
    if (await storeDemo(database.db)) log.info('demo data stored')
    else log.info('database has rows, no demo data stored')
  return database
}

const pause = (ms: number) =>
  new Promise<void>((resolve) => setTimeout(resolve, ms).unref())

function banner(
  { database: { url } }: Config,
  { url: api, docs, metrics, try: command }: Record<string, string | undefined>,
) {
  const lines = Object.entries({
    database: withoutSecrets(url),
    API: api,
    documentation: docs,
    metrics,
    try: command,
  })
    .filter(([, value]) => value)
    .map(([name, value]) => `  ${name.padEnd(14)}${value}\n`)
  return `typed-id-api ${VERSION}\n${lines.join('')}Ctrl-C stops.\n`
}
