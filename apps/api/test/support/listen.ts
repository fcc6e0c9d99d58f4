import type { RootOperationNode } from 'kysely'
import { clientAt } from 'testkit/client.ts'
import { expect, onTestFinished } from 'vitest'
import { type AppOptions, createApp, PROFILES } from '../../src/app.ts'
import { start, VERSION } from '../../src/commands/start.ts'
import { readConfig } from '../../src/config.ts'
import type { DatabaseOptions } from '../../src/database/engine.ts'
import { type OpenDatabase, openDatabase } from '../../src/database/open.ts'
import { OperatorError } from '../../src/errors.ts'
import { createLog } from '../../src/observability/log.ts'
import { type ServerLimits, serve } from '../../src/server/serve.ts'
import type { ProfileName } from '../../src/variables.ts'

export type ListeningService = Awaited<ReturnType<typeof listen>>

export const databaseAt = (
  url: string,
  options: Partial<DatabaseOptions> = {},
): DatabaseOptions => ({
  ...readConfig({ DATABASE_URL: url }, '/').database,
  ...options,
})

export function appOn(
  database: OpenDatabase,
  options: Partial<AppOptions> = {},
) {
  const logLines: string[] = []
  const log = createLog('trace', { write: (line) => logLines.push(line) })
  const app = createApp({
    profile: PROFILES.a,
    database,
    log,
    version: VERSION,
    ...options,
  })
  return { app, log, logLines }
}

interface Logged {
  readonly logLines: readonly string[]
}

export const logOf = ({ logLines }: Logged) =>
  logLines.map((line) => JSON.parse(line))

export const lastLine = ({ logLines }: Logged) =>
  JSON.parse(logLines.at(-1) ?? '{}')

interface ListenOptions {
  readonly options?: (database: OpenDatabase) => Partial<AppOptions>
  readonly limits?: Partial<ServerLimits>
  readonly host?: string
  /** By default `*` (any name). Null leaves ALLOWED_HOSTS unset. */
  readonly allowedHosts?: readonly string[] | null
}

export async function listen(
  profileName: ProfileName,
  {
    options = () => ({}),
    limits = {},
    host,
    allowedHosts = ['*'],
  }: ListenOptions = {},
) {
  const profile = PROFILES[profileName]
  const database = await openDatabase(
    databaseAt('sqlite::memory:'),
    profile.migrations,
  )
  const { app, log, logLines } = appOn(database, {
    profile,
    ...options(database),
  })
  const config = readConfig({ PORT: '0' }, '/')
  const server = await serve(
    app,
    {
      ...config,
      ...(host && { host }),
      allowedHosts: allowedHosts ?? undefined,
      limits: { ...config.limits, ...limits },
    },
    log,
  )
  const { url, connections, running, rejections } = server
  return {
    ...clientAt(url),
    url,
    port: Number(new URL(url).port),
    database,
    db: database.db,
    logLines,
    connections,
    running,
    rejections,
    async close(): Promise<void> {
      await server.close()
      await database.close()
    },
  }
}

export async function listenForTest(
  ...args: Parameters<typeof listen>
): Promise<ListeningService> {
  const service = await listen(...args)
  let closing: Promise<void> | undefined
  const close = () => (closing ??= service.close())
  onTestFinished(close)
  return { ...service, close }
}

export const withSlowRows = (
  database: OpenDatabase,
  wait: (query: RootOperationNode | undefined) => Promise<void>,
): OpenDatabase => {
  const queries = new WeakMap<object, RootOperationNode>()
  const db = database.db.withPlugin({
    transformQuery({ node, queryId }) {
      queries.set(queryId, node)
      return node
    },
    async transformResult({ result, queryId }) {
      await wait(queries.get(queryId))
      return result
    },
  })
  return { ...database, db }
}

export function pausedReads() {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let waiting = 0
  const wait = () => {
    waiting += 1
    return promise
  }
  const options = (database: OpenDatabase) => ({
    database: withSlowRows(database, wait),
  })
  return { options, release: resolve, fail: reject, waiting: () => waiting }
}

export async function startAndStop(
  env: Record<string, string>,
  { demo = false } = {},
): Promise<string> {
  const { promise: stopSignal, resolve } = Promise.withResolvers<string>()
  let lines = ''
  const write = (line: string) => {
    lines += line
    if (JSON.parse(line).msg === 'listening') resolve('SIGTERM')
  }
  const output = { write, print() {}, close: async () => {} }
  const log = createLog('info', output)
  const config = readConfig({ PORT: '0', ...env }, '/')
  await start(config, { log, output, stopSignal, demo })
  return lines
}

export async function operatorErrorOf(running: Promise<unknown>) {
  const error = await running.then(
    () => new Error('expected an OperatorError, but the command succeeded'),
    (error: unknown) => error,
  )
  if (!(error instanceof OperatorError)) throw error
  expect(error.message).not.toContain('\n')
  return error.message
}
