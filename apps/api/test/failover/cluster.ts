import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePorts } from '../support/ports.ts'
import { etcdCommand, haproxyConfig, type Node, PASSWORD, patroniConfig } from './configuration.ts'
import { createFolder, type Machine, postgresOf, signalTree, startProgram } from './programs.ts'

/** Three PostgreSQL servers under Patroni, behind HAProxy, which asks each Patroni whether it is the primary. */
export interface Cluster {
  /** An empty database by way of HAProxy, which leads to whoever is the primary. */
  readonly url: string
  /** The name and the role of each node that runs, as Patroni tells them. */
  roles(): Promise<Record<string, string>>
  /** Signals a node's Patroni, its PostgreSQL and all their processes, and returns how many: none says good-bye. */
  signal(name: string, signal: NodeJS.Signals): number
  /** Asks a primary to hand over to its synchronous standby. */
  switchOver(primary: string): Promise<void>
  /** Kills everything and removes the folder, or leaves it with its logs when told to keep it, and returns its path. */
  stop(options?: { keep: boolean }): string
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

  const pids = [start('etcd', etcdCommand(machine, join(folder, 'etcd'), etcdPort, etcdPeerPort))]
  const patronis = new Map<string, number>()
  for (const node of nodes) {
    // JSON is YAML.
    const file = configured(`${node.name}.yml`, JSON.stringify(patroniConfig(machine, node, etcdPort)))
    patronis.set(node.name, start(`patroni-${node.name}`, [machine.patroni, file]))
  }
  const haproxyFile = configured('haproxy.cfg', haproxyConfig(frontPort, nodes))
  pids.push(start('haproxy', [machine.haproxy, '-db', '-f', haproxyFile]))

  const cluster: Cluster = {
    url: `postgres://postgres:${PASSWORD}@127.0.0.1:${frontPort}/postgres`,
    async roles() {
      const told = await Promise.allSettled(nodes.map(({ restPort }) => clusterSeenFrom(restPort)))
      return told.find((answer) => answer.status === 'fulfilled')?.value ?? {}
    },
    signal(name, signal) {
      const node = nodes.find((node) => node.name === name) as Node
      const roots = [patronis.get(name), postgresOf(node.data)].filter((pid) => pid !== undefined)
      return signalTree(roots, signal)
    },
    async switchOver(leader) {
      const node = nodes.find((node) => node.name === leader) as Node
      const body = JSON.stringify({ leader })
      const answer = await fetch(`http://127.0.0.1:${node.restPort}/switchover`, { method: 'POST', body })
      if (!answer.ok) throw new Error(`no switchover: ${answer.status} ${await answer.text()}`)
    },
    stop({ keep } = { keep: false }) {
      for (const { name } of nodes) cluster.signal(name, 'SIGKILL')
      signalTree(pids, 'SIGKILL')
      // What has just been killed may be in the middle of making a file.
      if (!keep) rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
      return folder
    },
  }
  // However the script ends, nothing of this is left.
  process.once('exit', () => cluster.stop({ keep: Boolean(process.exitCode) }))
  try {
    await whole(cluster)
    return cluster
  } catch (error) {
    throw new Error(`no cluster, see ${cluster.stop({ keep: true })}`, { cause: error })
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
