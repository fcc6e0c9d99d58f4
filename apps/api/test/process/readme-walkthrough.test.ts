import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { databaseForTest, ENGINES, type Engine } from 'testkit/engines.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { expect, onTestFinished, test } from 'vitest'
import { PROFILES } from '../../src/composition/variables.ts'
import { openDatabase } from '../../src/database/open.ts'
import { databaseAt } from '../support/database.ts'
import { listen } from '../support/listen.ts'

const run = promisify(execFile)

const readme = await readFile(fileURLToPath(new URL('README.md', REPOSITORY)), 'utf8')

const idIn = (prefix: string) => new RegExp(`"id":"(${prefix}-[^"]+)"`).exec(readme)?.[1] ?? ''
const team = idIn('team')
const role = idIn('role')
const user = idIn('user')
const url = 'http://127.0.0.1:3000'

/** The commands of the README, and requests that engines are likely to treat differently. Ids are those of the README. */
const commands = [
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

/** Status, headers and body of every response, without the date and the request id, and with UUIDs numbered. */
async function transcriptOn(engine: Engine): Promise<string[]> {
  const db = await openDatabase(databaseAt(await databaseForTest(engine)), PROFILES.a.migrations)
  const service = await listen('a', { db })
  onTestFinished(async () => {
    await service.close()
    await db.close()
  })
  /** The ids of this service, by the ids of the README that they replace. */
  const actual = new Map<string, string>()
  const numbers = new Map<string, number>()
  const transcript: string[] = []
  for (const command of commands) {
    const ready = command
      .replace('curl -s', 'curl -s -i')
      .replace(url, service.url)
      .replace(/(team|role|user)-[0-9a-f-]{36}/g, (id) => actual.get(id) ?? id)
    const { stdout } = await run('bash', ['-c', ready])
    for (const known of [team, role, user]) {
      const [, id] = new RegExp(`^{"id":"(${known.split('-')[0]}-[^"]+)"`, 'm').exec(stdout) ?? []
      if (id !== undefined && !actual.has(known)) actual.set(known, id)
    }
    const stable = stdout.replace(/^(date|x-request-id): .*\r\n/gim, '').replaceAll(service.url, url)
    transcript.push(
      `$ ${command}\n${stable.replace(UUID, (uuid) => {
        if (!numbers.has(uuid)) numbers.set(uuid, numbers.size + 1)
        return `uuid ${numbers.get(uuid)}`
      })}`,
    )
  }
  return transcript
}

test('a walkthrough with curl receives the same responses from every engine', async () => {
  const [first = [], ...others] = await Promise.all(ENGINES.map(transcriptOn))
  const statuses = first.map((step) => /HTTP\/1\.1 (\d+)/.exec(step)?.[1])
  expect(statuses).toHaveLength(25)
  expect(new Set(statuses)).toEqual(new Set(['200', '201', '204', '400', '404', '422']))
  for (const other of others) expect(other).toEqual(first)
})
