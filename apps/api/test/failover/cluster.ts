import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { etcdCommand, haproxyConfig, type Node, PASSWORD, patroniConfig } from './configuration.ts'
import {
  createFolder,
  freePorts,
  type Machine,
  type Program,
  postgresOf,
  signalTree,
  startProgram,
} from './programs.ts'

/** Three PostgreSQL servers under Patroni, behind HAProxy, which asks each Patroni whether it is the primary. */
export interface Cluster {
  /** An empty database by way of HAProxy, which leads to whoever is the primary. */
  readonly url: string
  /** The name and the role of each node that runs, as Patroni tells them. */
  roles(): Promise<Record<string, string>>
  /** Signals a node's Patroni, its PostgreSQL and all their processes, and returns how many: none says good-bye. */
  signal(name: string, signal: NodeJS.Signals): number
  /** Stops everything and removes the folder, or leaves it with its logs when told to keep it. */
  stop(options?: { keep: boolean }): Promise<string>
}

const START_MS = 60_000

export async function startCluster(machine: Machine): Promise<Cluster> {
  const folder = createFolder(machine)
  const [etcdPort = 0, etcdPeerPort = 0, frontPort = 0, ...ports] = await freePorts(9)
  const nodes = ['one', 'two', 'three'].map(
    (name, n): Node => ({
      name,
      data: join(folder, name),
      restPort: ports[2 * n] as number,
      postgresPort: ports[2 * n + 1] as number,
    }),
  )
  const configured = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  const start = (name: string, command: string[]) => startProgram(machine, folder, name, command)

  const etcd = start('etcd', etcdCommand(machine, join(folder, 'etcd'), etcdPort, etcdPeerPort))
  const patronis = new Map<string, Program>()
  for (const node of nodes) {
    // JSON is YAML.
    const file = configured(`${node.name}.yml`, JSON.stringify(patroniConfig(machine, node, etcdPort)))
    patronis.set(node.name, start(`patroni-${node.name}`, [machine.patroni, file]))
  }
  const haproxy = start('haproxy', [
    machine.haproxy,
    '-db',
    '-f',
    configured('haproxy.cfg', haproxyConfig(frontPort, nodes)),
  ])

  const cluster: Cluster = {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${frontPort}/postgres`,
    async roles() {
      const told = await Promise.allSettled(nodes.map(({ restPort }) => clusterSeenFrom(restPort)))
      return told.find((answer) => answer.status === 'fulfilled')?.value ?? {}
    },
    signal(name, signal) {
      const node = nodes.find((node) => node.name === name) as Node
      const roots = [patronis.get(name)?.pid, postgresOf(node.data)].filter((pid) => pid !== undefined)
      return signalTree(roots, signal)
    },
    async stop({ keep } = { keep: false }) {
      for (const { name } of nodes) cluster.signal(name, 'SIGCONT')
      // Patroni stops its PostgreSQL first. One whose Patroni was killed is on its own.
      await Promise.all([...patronis.values()].map((patroni) => patroni.stop()))
      for (const { data } of nodes)
        signalTree(
          [postgresOf(data)].filter((pid) => pid !== undefined),
          'SIGKILL',
        )
      await Promise.all([haproxy.stop(), etcd.stop()])
      if (!keep) rmSync(folder, { recursive: true })
      return folder
    },
  }
  try {
    await whole(cluster)
    return cluster
  } catch (error) {
    throw new Error(`no cluster, see ${await cluster.stop({ keep: true })}`, { cause: error })
  }
}

/** Waits until there are a primary, a synchronous standby and a third. */
export async function whole(cluster: Cluster): Promise<void> {
  const deadline = performance.now() + START_MS
  for (;;) {
    const roles = Object.values(await cluster.roles()).sort()
    if (roles.join() === 'leader,replica,sync_standby') return
    if (performance.now() > deadline) throw new Error(`after ${START_MS} ms the nodes are: ${roles}`)
    await pause(100)
  }
}

interface Member {
  name: string
  role: string
  state: string
}

async function clusterSeenFrom(restPort: number): Promise<Record<string, string>> {
  const response = await fetch(`http://127.0.0.1:${restPort}/cluster`, { signal: AbortSignal.timeout(1000) })
  const { members } = (await response.json()) as { members: Member[] }
  const running = members.filter(({ state }) => state === 'running' || state === 'streaming')
  return Object.fromEntries(running.map(({ name, role }) => [name, role]))
}
