import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { AS_NOBODY, startServer } from 'testkit/server.ts'

/**
 * Starts Debian's MariaDB with an empty data folder, on a socket for the user
 * `root`, who has no password.
 */
export async function startMariaDb() {
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-mariadb-'))
  const { uid, gid } = AS_NOBODY
  if (uid) chownSync(folder, uid, gid)
  const user = uid ? ['--user=nobody'] : []
  const data = `--datadir=${join(folder, 'data')}`
  const socket = join(folder, 'socket')
  const options = ['--auth-root-authentication-method=normal', '--skip-test-db']
  execFileSync(
    'mariadb-install-db',
    ['--no-defaults', ...user, data, ...options],
    { stdio: 'ignore' },
  )
  const server = await startServer(
    '/usr/sbin/mariadbd',
    ['--no-defaults', ...user, data, `--socket=${socket}`, '--skip-networking'],
    'ready for connections',
  )
  return {
    socket,
    async stop() {
      await server.stop('SIGTERM')
      rmSync(folder, { recursive: true })
    },
  }
}
