import { execFile, execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServer } from './start-server.ts'

export interface MariaDb {
  /** The path of the socket, for drivers. The user is `root`, without a password. */
  readonly socket: string
  /** Runs statements with the command-line client, and returns its output with a line per row. NULL is `NULL`. */
  run(statements: string): Promise<string>
  stop(): Promise<void>
}

/** Starts Debian's MariaDB with an empty data folder, on a socket in that folder. */
export async function startMariaDb(): Promise<MariaDb> {
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-mariadb-'))
  const asRoot = process.getuid?.() === 0
  if (asRoot) chownSync(folder, 65534, 65534)
  const user = asRoot ? ['--user=nobody'] : []
  const data = `--datadir=${join(folder, 'data')}`
  const socket = join(folder, 'socket')
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync('mariadb-install-db', ['--no-defaults', ...user, data, ...options], { stdio: 'ignore' })
  const stop = await startServer(
    '/usr/sbin/mariadbd',
    ['--no-defaults', ...user, data, `--socket=${socket}`, '--skip-networking'],
    'ready for connections',
  )

  const client = [
    '--no-defaults',
    `--socket=${socket}`,
    '--user=root',
    '--default-character-set=utf8mb4',
    '--batch',
    '--raw',
  ]
  const run = (statements: string, database = 'test') =>
    new Promise<string>((resolve, reject) => {
      const child = execFile(
        'mariadb',
        [...client, '--skip-column-names', '--max-allowed-packet=64M', database],
        { maxBuffer: 1e9 },
        (error, stdout, stderr) => (error ? reject(new Error(stderr)) : resolve(stdout)),
      )
      child.stdin?.end(statements)
    })
  await run('create database test character set utf8mb4', 'mysql')
  return {
    socket,
    run,
    async stop() {
      await stop('SIGTERM')
      rmSync(folder, { recursive: true })
    },
  }
}
