import type { Machine } from './programs.ts'

/** One PostgreSQL and its Patroni. */
export interface Node {
  readonly name: string
  readonly data: string
  readonly restPort: number
  readonly postgresPort: number
}

export const PASSWORD = 'loopback'

/**
 * In seconds. A primary that is gone without a word is replaced when its key in etcd expires: `ttl` (20 is the least
 * that Patroni documents) after it was last renewed, which happens every `loop_wait`. In the next `loop_wait` the new
 * primary names its synchronous standby, and only then answers a write.
 */
const TIMES = { ttl: 20, loop_wait: 2, retry_timeout: 5 }

export function etcdCommand(machine: Machine, data: string, port: number, peerPort: number): string[] {
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
  return [machine.etcd, ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)]
}

export function patroniConfig(machine: Machine, node: Node, etcdPort: number) {
  const rest = `127.0.0.1:${node.restPort}`
  const postgres = `127.0.0.1:${node.postgresPort}`
  return {
    scope: 'users',
    name: node.name,
    restapi: { listen: rest, connect_address: rest },
    // Not etcd3: over that protocol Patroni 3.0.2 (Debian 12) takes the primary's key back without asking when it wakes up
    // after another was promoted, and with it goes every write since (219 and 221 of 201s in two runs with `freeze`).
    etcd: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: {
        ...TIMES,
        // A write is answered when a second server has it on disk, or not at all: only then can none be lost.
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
      bin_dir: machine.postgres,
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

/** TCP to whichever Patroni answers 200 to `GET /primary`; the connections to one that no longer does are cut. */
export const haproxyConfig = (port: number, nodes: readonly Node[]) => `
defaults
  mode tcp
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  timeout check 1s
listen primary
  bind 127.0.0.1:${port}
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map((node) => `  server ${node.name} 127.0.0.1:${node.postgresPort} check port ${node.restPort}`).join('\n')}
`
