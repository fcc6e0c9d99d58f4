import { join } from 'node:path'
import mysql from 'mysql2/promise'
import type { Server } from './engines.ts'
import { runToEnd, startServer, temporaryFolder } from './processes.ts'

/** Starts Debian's MariaDB on a socket in a temporary folder. */
export async function startMariaDb(): Promise<Server> {
  const folder = temporaryFolder()
  const data = join(folder, 'data')
  const socket = join(folder, 'socket')
  const common = ['--no-defaults', `--datadir=${data}`]
  runToEnd('mariadb-install-db', [...common, '--auth-root-authentication-method=normal', '--skip-test-db'])
  const args = [
    ...common,
    `--socket=${socket}`,
    '--skip-networking',
    '--innodb-flush-log-at-trx-commit=0',
    `--pid-file=${join(folder, 'pid')}`,
  ]
  const { connection, stop } = await startServer('/usr/sbin/mariadbd', args, folder, () =>
    mysql.createConnection({ socketPath: socket, user: 'root' }),
  )
  await connection.query('create database matrix')
  await connection.query('use matrix')
  const run = async (...statements: string[]) => {
    let rows: Record<string, unknown>[] = []
    for (const text of statements) rows = (await connection.query(text))[0] as Record<string, unknown>[]
    return rows
  }
  const version = String((await run('select version() as version'))[0]?.version).split('-')[0] ?? ''
  return {
    engine: 'mysql',
    version,
    socket,
    run,
    async stop() {
      await connection.end()
      await stop()
    },
  }
}
