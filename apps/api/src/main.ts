import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { createAdaptorServer } from '@hono/node-server'
import { createApp, PROFILES } from './app.ts'
import { ConfigError, readConfig } from './config.ts'
import { openDatabase } from './database/connect.ts'
import { createLog } from './log.ts'

/** How long running requests may take after a signal to stop. */
const GRACE_MS = 10_000

/** This file is apps/api/src/main.ts, and apps/api/dist/main.js once built. */
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))

const LISTEN_ERRORS: Record<string, (port: number, host: string) => string> = {
  EADDRINUSE: (port, host) =>
    `PORT ${port} is in use on ${host}: stop what listens there or set another PORT`,
  EACCES: (port) => `PORT ${port} needs rights that this process does not have: set a PORT above 1023`,
  EADDRNOTAVAIL: (_, host) => `HOST ${host} is not an address of this machine`,
  ENOTFOUND: (_, host) => `HOST ${host} is not known`,
}

try {
  await start()
} catch (error) {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
}

async function start(): Promise<void> {
  const config = readConfig(process.env, ROOT)
  const log = createLog(config.logLevel)
  const profile = PROFILES[config.profile]
  const db = await openDatabase(config.databaseUrl, profile.migrations)
  try {
    const server = createAdaptorServer({
      fetch: createApp({ profile, db, log, corsOrigins: config.corsOrigins }).fetch,
    }) as Server
    const { address, port } = await listen(server, config.port, config.host)
    const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}`
    log.info({ url, docs: `${url}/docs`, profile: config.profile }, 'listening')

    const signal = await stopSignal()
    log.info({ signal }, 'stopping')
    await drain(server)
  } finally {
    await db.close()
  }
  log.info('stopped')
}

async function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  server.listen(port, host)
  try {
    await once(server, 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new ConfigError(
      LISTEN_ERRORS[code ?? '']?.(port, host) ?? `cannot listen on ${host}:${port}: ${code}`,
    )
  }
  return server.address() as AddressInfo
}

function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    process.once('SIGTERM', resolve)
    process.once('SIGINT', resolve)
  })
}

/** Takes no new connection, lets running requests finish, and cuts off what still runs after the grace period. */
async function drain(server: Server): Promise<void> {
  const cut = setTimeout(() => server.closeAllConnections(), GRACE_MS)
  // close() ends the connections that are idle now; those that become idle later would be kept for the next request.
  const sweep = setInterval(() => server.closeIdleConnections(), 50)
  server.close()
  await once(server, 'close')
  clearTimeout(cut)
  clearInterval(sweep)
}
