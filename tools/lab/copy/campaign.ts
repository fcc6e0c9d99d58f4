import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchMemory } from 'testkit/process-stats.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { defineCampaign, number } from '../kit/campaign.ts'
import { send } from '../kit/http.ts'
import { type Scope, withScope } from '../kit/scope.ts'
import { addHostileText, type Seeded, seed } from '../kit/seed.ts'
import { startDatabase, startService } from '../kit/service.ts'
import { round } from '../kit/statistics.ts'

const MAIN = fileURLToPath(new URL('apps/api/src/main.ts', REPOSITORY))

/** Requests that run concurrently during the comparison. */
const LANES = 16

/** Milliseconds for the list of all users, which may be hundreds of megabytes. */
const TIMEOUT = 300_000

export const campaign = defineCampaign({
  summary:
    'copies from SQLite to PostgreSQL and back, and backs up; every response must be equal byte for byte',
  duration: '5 minutes',
  options: { users: number('users in the database', 100_000) },
  run: ({ users }) =>
    withScope(async (scope) => {
      const folder = scope.createFolder('api-copy-')
      const server = await startDatabase(scope, 'postgres')
      const seeded = await seed(join(folder, 'first.db'), users, { decorate: addHostileText })
      const [original, copied, back, backup] = [
        `sqlite:${seeded.file}`,
        server.url,
        `sqlite:${folder}/back.db`,
        `sqlite:${folder}/backup.db`,
      ] as const
      const megabytes = round(statSync(seeded.file).size / 1e6)
      const steps = [
        { title: 'SQLite to PostgreSQL', to: copied, args: ['copy', '--from', original, '--to', copied] },
        { title: 'PostgreSQL to SQLite', to: back, args: ['copy', '--from', copied, '--to', back] },
        { title: 'backup of the SQLite file', to: backup, args: ['backup', `${folder}/backup.db`] },
      ]
      const rows = []
      const failures: string[] = []
      for (const { title, to, args } of steps) {
        const { seconds, peakMegabytes } = await runCommand(scope, args, { DATABASE_URL: original })
        const { equal, different } = await compareResponses(original, to, seeded)
        rows.push([
          title,
          users,
          `${megabytes} MB`,
          `${seconds} s`,
          `${peakMegabytes} MB`,
          equal,
          different.length,
        ])
        failures.push(...different.slice(0, 10).map((path) => `${title}: GET ${path} differs`))
      }
      const columns = [
        ...[
          'direction',
          'users',
          'SQLite file',
          'duration',
          'memory at most',
          'equal responses',
          'different',
        ],
      ]
      return { table: { columns, rows }, failures }
    }),
})

/** Runs a command of the service to its end, and measures its time and its memory. */
async function runCommand(scope: Scope, args: readonly string[], env: Record<string, string>) {
  const started = performance.now()
  const child = spawn(process.execPath, [MAIN, ...args], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  scope.own(child)
  const memory = watchMemory(child.pid)
  const [code] = await once(child, 'exit')
  memory.stop()
  if (code !== 0) throw new Error(`"${args[0]}" exited with ${code}, expected 0`)
  return { seconds: round((performance.now() - started) / 1000, 1), peakMegabytes: round(memory.peak()) }
}

/** Compares all lists and all users between the services of two databases. */
function compareResponses(left: string, right: string, { users, teams }: Seeded) {
  return withScope(async (scope) => {
    const urls: string[] = []
    for (const url of [left, right])
      urls.push((await startService(scope, { DATABASE_URL: url, MIGRATE: 'never', LOG_LEVEL: 'info' })).url)
    const paths = [
      ...['/teams', '/roles', '/users'],
      ...teams.map((id) => `/users?team_id=${id}`),
      ...users.map((id) => `/users/${id}`),
    ]
    let next = 0
    let equal = 0
    const different: string[] = []
    const agent = new Agent({ keepAlive: true })
    const runLane = async () => {
      for (let path = paths[next++]; path !== undefined; path = paths[next++]) {
        const request = { method: 'GET', path }
        const [one, other] = await Promise.all(urls.map((url) => send(agent, url, request, TIMEOUT)))
        const isEqual = one?.response?.status === 200 && one.response.body === other?.response?.body
        if (isEqual) equal += 1
        else different.push(path)
      }
    }
    await Promise.all(Array.from({ length: LANES }, runLane))
    agent.destroy()
    return { equal, different }
  })
}
