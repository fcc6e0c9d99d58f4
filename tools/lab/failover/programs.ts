import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../kit/haproxy.ts'

/** The installed programs. */
export interface Programs {
  readonly etcd: string
  readonly patroni: string
  /** Folder of the executables of the newest PostgreSQL. */
  readonly postgres: string
  /** The account to run them as, because PostgreSQL and Patroni do not run as root. */
  readonly account: { readonly uid: number; readonly gid: number } | undefined
}

export function findPrograms(): Programs {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return {
    etcd: findProgram('/usr/bin/etcd', 'etcd-server'),
    patroni: findProgram('/usr/bin/patroni', 'patroni'),
    postgres: join(findProgram('/usr/lib/postgresql/*/bin/postgres', 'postgresql'), '..'),
    account: process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : undefined,
  }
}

/** Starts a program whose output goes to `<folder>/<name>.log`, and returns its process id. */
export function startProgram(programs: Programs, folder: string, name: string, command: string[]): number {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const [file = '', ...args] = command
  const options = { ...programs.account, cwd: folder, stdio: ['ignore', log, log] } satisfies SpawnOptions
  // In a new process group, so that Ctrl-C does not stop it before the clients.
  const child = spawn(file, args, { ...options, detached: true })
  if (child.pid === undefined) throw new Error(`${file} did not start`)
  child.unref()
  return child.pid
}

/** Sends a signal to processes and all of their descendants, and returns how many received it. */
export function signalTree(roots: number[], signal: NodeJS.Signals): number {
  const parents = readParents()
  const tree = new Set(roots)
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid)
  }
  for (const pid of tree) {
    try {
      process.kill(pid, signal)
    } catch {
      tree.delete(pid) // it has already exited
    }
  }
  return tree.size
}

/** The parent of every process on this machine. */
function readParents(): Map<number, number> {
  const parents = new Map<number, number>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, parent = ''] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      parents.set(Number(pid), Number(parent))
    } catch {} // it has exited since the folder was listed
  }
  return parents
}

/** The process id of the PostgreSQL server that uses a data folder, if it is running. */
export function findPostgres(data: string): number | undefined {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  const command = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
  return command.includes(data) ? pid : undefined
}
