import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AS_NOBODY, startServer } from 'testkit/server.ts'
import { freePorts } from 'testkit/sockets.ts'

const PROGRAM = '/usr/sbin/pgbouncer'

export const hasPgbouncer = () => existsSync(PROGRAM)

export interface PgbouncerOptions {
  readonly mode: 'session' | 'transaction'
  readonly serverConnections: number
}

/**
 * The parameters that the service sends when it connects. PgBouncer accepts
 * them, but does not pass them on.
 */
const STARTUP_PARAMETERS = [
  'statement_timeout',
  'lock_timeout',
  'idle_in_transaction_session_timeout',
]

export async function startPgbouncer(
  url: string,
  { mode, serverConnections }: PgbouncerOptions,
) {
  const target = new URL(url)
  const folder = await mkdtemp(join(tmpdir(), 'api-pgbouncer-'))
  // PgBouncer runs as another account, which must be able to read the folder.
  await chmod(folder, 0o755)
  const [port = 0] = await freePorts(1)
  const userList = join(folder, 'userlist.txt')
  await writeFile(userList, `"${target.username}" "${target.password}"\n`)
  const file = join(folder, 'pgbouncer.ini')
  const lines = [
    '[databases]',
    `* = host=${target.hostname} port=${target.port}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = plain',
    `auth_file = ${userList}`,
    `pool_mode = ${mode}`,
    `default_pool_size = ${serverConnections}`,
    'max_client_conn = 1000',
    `ignore_startup_parameters = ${['extra_float_digits', ...STARTUP_PARAMETERS].join(',')}`,
  ]
  await writeFile(file, `${lines.join('\n')}\n`)
  const server = await startServer(PROGRAM, [file], 'process up', AS_NOBODY)
  target.port = String(port)
  return {
    url: target.href,
    async stop() {
      await server.stop('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
