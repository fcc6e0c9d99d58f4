import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { chownSync, existsSync, globSync, mkdtempSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const INSTALL = 'apt-get install --no-install-recommends postgresql patroni etcd-server haproxy'

/** Where the programs are, and whom they run as: PostgreSQL and Patroni refuse to be root. */
export interface Machine {
  readonly etcd: string
  readonly patroni: string
  readonly haproxy: string
  /** The folder of the newest PostgreSQL. */
  readonly postgres: string
  readonly account: { readonly uid: number; readonly gid: number } | undefined
}

/** Throws when something is not installed, with what installs it. */
export function findMachine(): Machine {
  const find = (pattern: string) => {
    const path = globSync(pattern).sort().at(-1)
    if (path === undefined) throw new Error(`${pattern} is not there: ${INSTALL}`)
    return path
  }
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return {
    etcd: find('/usr/bin/etcd'),
    patroni: find('/usr/bin/patroni'),
    haproxy: find('/usr/sbin/haproxy'),
    postgres: join(find('/usr/lib/postgresql/*/bin/postgres'), '..'),
    account: process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : undefined,
  }
}

/** A new folder that the programs may write to; not below TMPDIR, where their account may have no way in. */
export function createFolder({ account }: Machine): string {
  const folder = mkdtempSync('/tmp/api-failover-')
  if (account) chownSync(folder, account.uid, account.gid)
  return folder
}

/** Starts a program whose output goes to `<folder>/<name>.log`, and returns its process id. */
export function startProgram(machine: Machine, folder: string, name: string, command: string[]): number {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const [file = '', ...args] = command
  const options = { ...machine.account, cwd: folder, stdio: ['ignore', log, log] } satisfies SpawnOptions
  // In a group of its own, so that Ctrl-C reaches the script alone, which stops it.
  const child = spawn(file, args, { ...options, detached: true })
  if (child.pid === undefined) throw new Error(`${file} did not start`)
  child.unref()
  return child.pid
}

/** Sends a signal to processes and all that they have started, in one go, and returns how many that were. */
export function signalTree(roots: number[], signal: NodeJS.Signals): number {
  const parents = processParents()
  const tree = new Set(roots)
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const [pid, parent] of parents) if (tree.has(parent)) tree.add(pid)
  }
  for (const pid of tree) {
    try {
      process.kill(pid, signal)
    } catch {
      tree.delete(pid) // gone already
    }
  }
  return tree.size
}

/** The parent of every process. */
function processParents(): Map<number, number> {
  const parents = new Map<number, number>()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const [, parent = ''] = /\) \S (\d+) /.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? []
      parents.set(Number(pid), Number(parent))
    } catch {} // ended while we looked
  }
  return parents
}

/** The main process of the PostgreSQL that has a data folder, if it runs. */
export function postgresOf(data: string): number | undefined {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  const command = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
  return command.includes(data) ? pid : undefined
}
