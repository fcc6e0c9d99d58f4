import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePorts } from 'testkit/ports.ts'
import { spawnHaproxy } from '../kit/haproxy.ts'
import type { Scope } from '../kit/scope.ts'
import { waitUntil } from '../kit/wait.ts'
import {
  createEtcdCommand,
  createPatroniConfig,
  findPostgres,
  formatHaproxyConfig,
  type Node,
  PASSWORD,
  type Programs,
  signalTree,
  startProgram,
} from './programs.ts'

/** Three PostgreSQL servers with synchronous replication that Patroni manages. HAProxy routes to the primary. */
export interface Cluster {
  /** The database on the current primary, through HAProxy. */
  readonly url: string
  /** The folder with the logs of all programs. */
  readonly folder: string
  /** Roles of the running nodes by name, as Patroni reports them. */
  readRoles(): Promise<Record<string, string>>
  readPrimary(): Promise<string | undefined>
  /** Sends a signal to Patroni, PostgreSQL and all of their processes on one node. */
  signal(name: string, signal: NodeJS.Signals): void
  /** Asks Patroni to promote the synchronous standby in place of the primary. */
  switchOver(primary: string): Promise<void>
  /** Waits until there are a primary, a synchronous standby and a replica. */
  waitUntilComplete(): Promise<void>
  /** Keeps the folder with the logs when the scope ends. */
  keepLogs(): void
}

export async function startCluster(scope: Scope, programs: Programs): Promise<Cluster> {
  // Does not use TMPDIR, which may be inaccessible for the account of PostgreSQL.
  const folder = mkdtempSync('/tmp/api-failover-')
  if (programs.account) chownSync(folder, programs.account.uid, programs.account.gid)
  const [etcdPort = 0, etcdPeerPort = 0, port = 0, ...ports] = await freePorts(9)
  const nodes = ['one', 'two', 'three'].map(
    (name, n): Node => ({
      name,
      data: join(folder, name),
      restPort: ports[2 * n] as number,
      postgresPort: ports[2 * n + 1] as number,
    }),
  )
  const pids = new Map<string, number>()
  let keepsLogs = false
  const stop = () => {
    const servers = nodes.map(({ data }) => findPostgres(data)).filter((pid) => pid !== undefined)
    signalTree([...pids.values(), ...servers], 'SIGKILL')
    pids.clear()
    if (!keepsLogs) rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  }
  // Patroni restarts its PostgreSQL, so an exit of this process must stop all programs together.
  process.once('exit', stop)
  scope.defer(() => {
    process.off('exit', stop)
    stop()
  })

  const start = (name: string, command: string[]) =>
    pids.set(name, startProgram(programs, folder, name, command))
  start('etcd', createEtcdCommand(programs, join(folder, 'etcd'), etcdPort, etcdPeerPort))
  for (const node of nodes) {
    const file = join(folder, `${node.name}.yml`)
    writeFileSync(file, JSON.stringify(createPatroniConfig(programs, node, etcdPort))) // any JSON is YAML
    start(node.name, [programs.patroni, file])
  }
  const config = join(folder, 'haproxy.cfg')
  writeFileSync(config, formatHaproxyConfig(port, nodes))
  spawnHaproxy(scope, config, programs.account ?? {})

  const nodeOf = (name: string) => {
    const node = nodes.find((node) => node.name === name)
    if (node === undefined) throw new Error(`the cluster has no node "${name}"`)
    return node
  }
  async function readRoles(): Promise<Record<string, string>> {
    const views = await Promise.allSettled(nodes.map(({ restPort }) => readMembers(restPort)))
    return views.find((view) => view.status === 'fulfilled')?.value ?? {}
  }
  const cluster: Cluster = {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    folder,
    readRoles,
    async readPrimary() {
      return Object.entries(await readRoles()).find(([, role]) => role === 'leader')?.[0]
    },
    signal(name, signal) {
      const roots = [pids.get(name), findPostgres(nodeOf(name).data)].filter((pid) => pid !== undefined)
      if (signalTree(roots, signal) === 0) throw new Error(`no process of node ${name} is running`)
    },
    async switchOver(leader) {
      const url = `http://127.0.0.1:${nodeOf(leader).restPort}/switchover`
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ leader }) })
      if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`)
    },
    waitUntilComplete: () =>
      waitUntil(
        `the cluster is complete (logs in ${folder})`,
        async () =>
          Object.values(await readRoles())
            .sort()
            .join() === 'leader,replica,sync_standby',
        100,
      ),
    keepLogs() {
      keepsLogs = true
    },
  }
  try {
    await cluster.waitUntilComplete()
  } catch (error) {
    cluster.keepLogs()
    throw error
  }
  return cluster
}

interface Member {
  readonly name: string
  readonly role: string
  readonly state: string
}

/** Returns the roles of the running nodes, as one Patroni instance sees the cluster. */
async function readMembers(restPort: number): Promise<Record<string, string>> {
  const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(1000) })
  const { members } = (await response.json()) as { members: Member[] }
  const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
  return Object.fromEntries(running.map(({ name, role }) => [name, role]))
}
