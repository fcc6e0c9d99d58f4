import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ENGINES, type Engine, freshDatabase } from '../support/engines.ts'
import { startService } from '../support/process.ts'

const run = promisify(execFile)

const readme = await readFile(fileURLToPath(new URL('../../../README.md', import.meta.url)), 'utf8')

/** The README's session, and what engines are likely to answer differently; ids are those of the README. */
const [, team = ''] = /"id":"(team-[^"]+)"/.exec(readme) ?? []
const [, role = ''] = /"id":"(role-[^"]+)"/.exec(readme) ?? []
const [, user = ''] = /"id":"(user-[^"]+)"/.exec(readme) ?? []
const url = 'http://127.0.0.1:3000'
const session = [
  ...[...readme.matchAll(/^\$ (curl .*)$/gm)].map(([, command = '']) => command).slice(0, -1),
  `curl -s ${url}/users --json '{"email":"ADA@example.com","name":"Again","password":"x"}'`,
  `curl -s ${url}/users --json '{"email":"zoë@example.com","name":"Zoë","password":"x"}'`,
  `curl -s ${url}/users --json '{"email":"li@example.com","name":"李 👩‍👩‍👧 \\"O'\\''Hara\\" \\\\","password":"x"}'`,
  `curl -s ${url}/users --json '{"email":"bo@example.com","name":"","password":"x","team_id":"${team.replace(/.$/, 'f')}"}'`,
  `curl -s ${url}/users --json '{"email":"nul@example.com","name":"\\u0000","password":"x"}'`,
  `curl -s ${url}/roles --json '{"name":"admin"}'`,
  `curl -s ${url}/roles --json '{"name":"Admin","description":""}'`,
  `curl -s ${url}/roles --json '{"name":"${'é'.repeat(51)}"}'`,
  `curl -s ${url}/roles`,
  `curl -s -X POST ${url}/users/${user}/roles/${role}`,
  `curl -s -X POST ${url}/users/${user}/roles/${role.replace(/.$/, 'f')}`,
  `curl -s -X PATCH ${url}/users/${user} --json '{"name":"Ada Lovelace"}'`,
  `curl -s '${url}/users?limit=1'`,
  `curl -s '${url}/users?team_id=${team}'`,
  `curl -s '${url}/users?after=${user}'`,
  `curl -s -I ${url}/users`,
  `curl -s -X DELETE ${url}/users/${user}`,
  `curl -s ${url}/users/${user}`,
  `curl -s ${url}/users`,
  `curl -s ${url}/readyz`,
]

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

/** What a service says to the whole session: status, headers and body, with ids numbered in the order they appear. */
async function transcript(engine: Engine): Promise<string[]> {
  const { url: database, drop } = await freshDatabase(engine)
  const service = await startService({ DATABASE_URL: database })
  onTestFinished(async () => {
    await service.stop()
    await drop()
  })
  /** The ids that this service has given to what has those of the README. */
  const given = new Map<string, string>()
  const numbers = new Map<string, number>()
  const told: string[] = []
  for (const command of session) {
    const ready = command
      .replace('curl -s', 'curl -s -i')
      .replace(url, service.url)
      .replace(/(team|role|user)-[0-9a-f-]{36}/g, (id) => given.get(id) ?? id)
    const { stdout } = await run('bash', ['-c', ready])
    for (const known of [team, role, user]) {
      const [, id] = new RegExp(`^{"id":"(${known.slice(0, 4)}-[^"]+)"`, 'm').exec(stdout) ?? []
      if (id !== undefined && !given.has(known)) given.set(known, id)
    }
    const stable = stdout.replace(/^(date|x-request-id): .*\r\n/gim, '').replaceAll(service.url, url)
    told.push(
      `$ ${command}\n${stable.replace(UUID, (uuid) => {
        if (!numbers.has(uuid)) numbers.set(uuid, numbers.size + 1)
        return `uuid ${numbers.get(uuid)}`
      })}`,
    )
  }
  return told
}

test('one session of curl gets the same answers from every engine', async () => {
  const [memory = [], file, postgres] = await Promise.all(ENGINES.map(transcript))
  const statuses = memory.map((told) => /HTTP\/1\.1 (\d+)/.exec(told)?.[1])
  expect(statuses).toHaveLength(25)
  expect(new Set(statuses)).toEqual(new Set(['200', '201', '204', '400', '404', '422']))
  expect(file).toEqual(memory)
  expect(postgres).toEqual(memory)
}, 30_000)
