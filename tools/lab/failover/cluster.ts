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

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * Starts three PostgreSQL servers with synchronous replication that Patroni manages. HAProxy routes to the primary.
 * Waits until the cluster is complete.
 */
export async function startCluster(scope: Scope, programs: Programs) {
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
  /** Returns the roles of the running nodes by name, as Patroni reports them. */
  async function readRoles(): Promise<Record<string, string>> {
    const views = await Promise.allSettled(nodes.map(({ restPort }) => readMembers(restPort)))
    return views.find((view) => view.status === 'fulfilled')?.value ?? {}
  }
  /** Waits until there are a primary, a synchronous standby and a replica. */
  const waitUntilComplete = () =>
    waitUntil(
      `the cluster is complete (logs in ${folder})`,
      async () => {
        const roles = Object.values(await readRoles())
        return roles.sort().join() === 'leader,replica,sync_standby'
      },
      100,
    )
  /** Keeps the folder with the logs when the scope ends. */
  const keepLogs = () => {
    keepsLogs = true
  }
  await waitUntilComplete().catch((error) => {
    keepLogs()
    throw error
  })
  return {
    /** The database on the current primary, through HAProxy. */
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${port}/postgres`,
    /** The folder with the logs of all programs. */
    folder,
    readRoles,
    waitUntilComplete,
    keepLogs,
    /** Sends a signal to Patroni, PostgreSQL and all of their processes on one node. */
    signal(name: string, signal: NodeJS.Signals): void {
      const roots = [pids.get(name), findPostgres(nodeOf(name).data)].filter((pid) => pid !== undefined)
      if (signalTree(roots, signal) === 0) throw new Error(`no process of node ${name} is running`)
    },
    /** Asks Patroni to promote the synchronous standby in place of the primary. */
    async switchOver(leader: string): Promise<void> {
      const url = `http://127.0.0.1:${nodeOf(leader).restPort}/switchover`
      const response = await fetch(url, { method: 'POST', body: JSON.stringify({ leader }) })
      if (!response.ok) throw new Error(`switchover: ${response.status} ${await response.text()}`)
    },
  }
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
