import { execFileSync, type SpawnOptions, spawn } from 'node:child_process'
import { existsSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { findProgram } from '../kit/haproxy.ts'

export type Programs = ReturnType<typeof findPrograms>

/** Returns the paths of the installed programs. */
export function findPrograms() {
  const id = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return {
    etcd: findProgram('/usr/bin/etcd', 'etcd-server'),
    patroni: findProgram('/usr/bin/patroni', 'patroni'),
    /** The folder with the executables of the newest PostgreSQL. */
    postgres: join(findProgram('/usr/lib/postgresql/*/bin/postgres', 'postgresql'), '..'),
    /** The account under which the programs run, because PostgreSQL and Patroni do not run as root. */
    account: process.getuid?.() === 0 ? { uid: id('-u'), gid: id('-g') } : undefined,
  }
}

/** Starts a program whose output goes to `<folder>/<name>.log`, and returns its process id. */
export function startProgram(programs: Programs, folder: string, name: string, command: string[]): number {
  const log = openSync(join(folder, `${name}.log`), 'a')
  const [file = '', ...args] = command
  const options = { ...programs.account, cwd: folder, stdio: ['ignore', log, log] } satisfies SpawnOptions
  // Starts the program in a new process group, so that Ctrl-C does not stop it before the clients.
  const child = spawn(file, args, { ...options, detached: true })
  if (child.pid === undefined) throw new Error(`${file} did not start`)
  child.unref()
  return child.pid
}

/** Sends a signal to processes and all of their descendants, and returns how many received it. */
export function signalTree(roots: number[], signal: NodeJS.Signals): number {
  const processes = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n')
  const parents = processes.map((line) => line.trim().split(/\s+/).map(Number))
  const tree = new Set(roots)
  for (let size = 0; size < tree.size; ) {
    size = tree.size
    for (const [pid = 0, parent = 0] of parents) if (tree.has(parent)) tree.add(pid)
  }
  for (const pid of tree) {
    try {
      process.kill(pid, signal)
    } catch {
      tree.delete(pid) // the process has already exited
    }
  }
  return tree.size
}

/** Returns the process id of the PostgreSQL server that uses a data folder, if it is running. */
export function findPostgres(data: string): number | undefined {
  const file = join(data, 'postmaster.pid')
  if (!existsSync(file)) return undefined
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0])
  const command = existsSync(`/proc/${pid}/cmdline`) ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : ''
  return command.includes(data) ? pid : undefined
}

/** A PostgreSQL server and the Patroni instance that manages it. */
export interface Node {
  readonly name: string
  readonly data: string
  readonly restPort: number
  readonly postgresPort: number
}

export const PASSWORD = 'loopback'

/**
 * Times in seconds. An unreachable primary is replaced when its key in etcd expires, `ttl` after the last renewal.
 * Patroni renews the key every `loop_wait`, and 20 is the smallest `ttl` that it documents. In the next `loop_wait`,
 * the new primary names its synchronous standby, and only then acknowledges a write.
 */
const TIMES = { ttl: 20, loop_wait: 2, retry_timeout: 5 }

export function createEtcdCommand(
  programs: Programs,
  data: string,
  port: number,
  peerPort: number,
): string[] {
  const client = `http://127.0.0.1:${port}`
  const peer = `http://127.0.0.1:${peerPort}`
  const options = {
    name: 'etcd',
    'data-dir': data,
    'enable-v2': 'true',
    'listen-client-urls': client,
    'advertise-client-urls': client,
    'listen-peer-urls': peer,
    'initial-advertise-peer-urls': peer,
    'initial-cluster': `etcd=${peer}`,
  }
  return [programs.etcd, ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)]
}

export function createPatroniConfig(programs: Programs, node: Node, etcdPort: number) {
  const rest = `127.0.0.1:${node.restPort}`
  const postgres = `127.0.0.1:${node.postgresPort}`
  return {
    scope: 'users',
    name: node.name,
    restapi: { listen: rest, connect_address: rest },
    // Does not use etcd3: over that protocol, Patroni 3.0.2 (Debian 12) lets a frozen primary take its key back after
    // another server was promoted. All later writes are lost (219 and 221 acknowledged writes in two runs).
    etcd: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: {
        ...TIMES,
        // A write is acknowledged only after a second server has flushed it, so a failover loses no acknowledged write.
        synchronous_mode: true,
        synchronous_mode_strict: true,
        postgresql: { use_pg_rewind: true },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
    },
    postgresql: {
      listen: postgres,
      connect_address: postgres,
      data_dir: node.data,
      bin_dir: programs.postgres,
      pgpass: `${node.data}.pgpass`,
      authentication: {
        superuser: { username: 'postgres', password: PASSWORD },
        replication: { username: 'replicator', password: PASSWORD },
      },
      pg_hba: [
        'host all all 127.0.0.1/32 scram-sha-256',
        'host replication replicator 127.0.0.1/32 scram-sha-256',
      ],
      parameters: { unix_socket_directories: '', max_connections: 100 },
    },
  }
}

/** Routes TCP to the node whose Patroni returns 200 for `GET /primary`. Cuts connections to a demoted primary. */
export const formatHaproxyConfig = (port: number, nodes: readonly Node[]): string => `
defaults
  mode tcp
  retries 0
  timeout connect 2s
  timeout client 60s
  timeout server 60s
  timeout check 1s
listen front
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 1000ms fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, postgresPort, restPort }) => `  server ${name} 127.0.0.1:${postgresPort} check port ${restPort}`).join('\n')}
`
