import { clientAt } from './client.ts'

/** Ids of no record. */
const [NO_USER, NO_TEAM] = ['user', 'team'].map((prefix) => `${prefix}-0190163d-8694-739b-aea5-966c26f8ad91`)

/** What one client has sent and received, one line per request, with the ids replaced by their order. */
export type Transcript = readonly string[]

export interface Recording {
  readonly clients: number
  /** Each turn of a client sends {@link REQUESTS_PER_TURN} requests. */
  readonly turns: number
}

export const REQUESTS_PER_TURN = 32

/**
 * Sends mixed requests from concurrent clients, each request to the next of the `urls`. A client uses only records of
 * its own, so that its transcript is the same in every run on an empty database.
 */
export async function recordTranscripts(
  urls: readonly string[],
  { clients, turns }: Recording,
): Promise<Transcript[]> {
  return Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const client = createClient(urls, index)
      for (let turn = 0; turn < turns; turn += 1) await runTurn(client, `client-${index}-${turn}`)
      return client.transcript
    }),
  )
}

type Send = (
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
) => Promise<{ id: string }>

function createClient(urls: readonly string[], first: number) {
  const instances = urls.map(clientAt)
  const transcript: string[] = []
  const aliases = new Map<string, string>()
  const withAliases = (text: string) =>
    text.replace(/\b(?:user|team|role)-[0-9a-f]{8}-[0-9a-f-]{27}/g, (id) => {
      const alias = aliases.get(id) ?? `#${aliases.size + 1}`
      aliases.set(id, alias)
      return alias
    })
  const send: Send = async (method, path, body) => {
    const instance = instances[(first + transcript.length) % instances.length]
    if (instance === undefined) throw new Error('expected at least one URL')
    const init = { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
    const { status, text, json } = await instance.request(path, { method, ...(body !== undefined && init) })
    transcript.push(withAliases(`${method} ${path} ${status} ${text}`))
    return json ?? {}
  }
  return { send, transcript }
}

async function runTurn({ send }: { send: Send }, name: string): Promise<void> {
  const [team, other] = [await send('POST', '/teams', { name }), await send('POST', '/teams', { name })]
  const role = await send('POST', '/roles', { name, description: `of ${name}` })
  const email = `${name}@example.com`
  const user = await send('POST', '/users', { email, name, password: 'x', team_id: team.id })
  const readAll = async () => {
    await send('GET', `/users/${user.id}`)
    await send('GET', `/users?team_id=${team.id}`)
    await send('GET', `/users?team_id=${other.id}&limit=1`)
    await send('GET', `/teams/${team.id}`)
  }
  await readAll()
  await send('PATCH', `/users/${user.id}`, { name: `${name} é 😀` })
  await readAll()
  await send('PATCH', `/users/${user.id}`, { team_id: other.id })
  await readAll()
  await send('POST', `/users/${user.id}/roles/${role.id}`)
  await send('POST', `/users/${user.id}/roles/${role.id}`)
  await readAll()
  // Rejected requests: each rolls its transaction back, or has none.
  await send('POST', '/roles', { name })
  await send('PATCH', `/users/${user.id}`, { team_id: NO_TEAM })
  await send('GET', `/users/${NO_USER}`)
  await send('GET', `/users/${team.id}`)
  await send('DELETE', `/users/${user.id}`)
  await send('DELETE', `/users/${user.id}`)
  await send('POST', `/users/${user.id}/roles/${role.id}`)
  await send('GET', `/users/${user.id}`)
}

/** Returns the first lines that differ from the expected transcripts, with both texts. */
export function findDifferences(actual: readonly Transcript[], expected: readonly Transcript[]): string[] {
  return expected.flatMap((lines, client) =>
    lines.flatMap((line, n) => {
      const received = actual[client]?.[n]
      return received === line ? [] : [`client ${client}, request ${n}: ${received}, expected ${line}`]
    }),
  )
}
