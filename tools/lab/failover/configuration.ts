import type { Balancing } from '../kit/haproxy.ts'
import type { Programs } from './programs.ts'

/** A PostgreSQL server and its Patroni. */
export interface Node {
  readonly name: string
  readonly data: string
  readonly restPort: number
  readonly postgresPort: number
}

export const PASSWORD = 'loopback'

/**
 * In seconds. An unreachable primary is replaced when its key in etcd expires: `ttl` after it was last renewed, which
 * happens every `loop_wait` (20 is the smallest `ttl` that Patroni documents). In the next `loop_wait` the new primary
 * names its synchronous standby, and only then acknowledges a write.
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
    // Not etcd3: over that protocol Patroni 3.0.2 (Debian 12) lets a frozen primary take its key back when it continues,
    // although another server was promoted. All writes since are lost (219 and 221 acknowledged ones in two runs).
    etcd: { hosts: [`127.0.0.1:${etcdPort}`] },
    bootstrap: {
      dcs: {
        ...TIMES,
        // A write is acknowledged only after a second server has flushed it, so a failover loses none.
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

/** Routes TCP to the node whose Patroni returns 200 for `GET /primary`, and cuts the connections to a demoted primary. */
export const balanceNodes = (nodes: readonly Node[]): Balancing => ({
  mode: 'tcp',
  backends: nodes.map(({ postgresPort, restPort }) => ({ port: postgresPort, checkPort: restPort })),
  checkPath: '/primary',
  check: { intervalMs: 1000, fall: 2 },
  serverOptions: 'on-marked-down shutdown-sessions',
})
