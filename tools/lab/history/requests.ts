import { once } from 'node:events'
import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as sendHttp,
} from 'node:http'
import { text } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { type Counts, count } from '../kit/statistics.ts'
import {
  addEvent,
  addWalk,
  type Event,
  type Fields,
  fieldsOf,
  type History,
  type List,
  type Sent,
  type StoredRecord,
} from './history.ts'

/**
 * Timeout of a request: shorter than the 5 to 20 s for which SIGSTOP stops an
 * instance, so that clients give up before the instance continues.
 */
const TIMEOUT_MS = 4000

const AVOID_INSTANCE_MS = 500

const PAGE = 250

const MAX_FAILURES_PER_WALK = 3

/** Without this pause, an outage would cause thousands of failed requests. */
const RETRY_MS = 20

const JSON_BODY = { 'content-type': 'application/json' }

type About = Pick<Event, 'action' | 'list'> &
  Partial<Pick<Event, 'id' | 'sets' | 'claims'>>

export type Requests = ReturnType<typeof createRequests>

export function createRequests(
  client: number,
  agent: Agent,
  urls: readonly string[],
  history: History,
  outcomes: Counts,
  random: () => number,
) {
  const avoidedUntil = urls.map(() => 0)

  function chooseInstance(): number {
    const chosen = Math.floor(random() * urls.length)
    const isAvoided = performance.now() < (avoidedUntil[chosen] ?? 0)
    return isAvoided ? (chosen + 1) % urls.length : chosen
  }

  /**
   * Returns no `response` after a 503 or an error, because neither shows
   * whether the service has executed the request.
   */
  async function send(method: string, path: string, body?: unknown) {
    const instance = chooseInstance()
    const start = performance.now()
    const { response, error } = await exchange(
      sendHttp(urls[instance] + path, {
        agent,
        method,
        headers: body === undefined ? {} : JSON_BODY,
        // Limits the whole request. The `timeout` of node:http would only limit
        // the time without data.
        signal: AbortSignal.timeout(TIMEOUT_MS),
      }),
      body,
    )
    count(outcomes, response?.status ?? `${error}`)
    const isKnown = response !== undefined && response.status !== 503
    const end = isKnown ? performance.now() : Infinity
    const sent: Sent = { client, instance, start, end }
    if (isKnown) return { sent, response }
    if (response && !response.headers['retry-after'])
      history.broken.push(`${method} ${path} returned 503 without Retry-After`)
    avoidedUntil[instance] = performance.now() + AVOID_INSTANCE_MS
    await pause(RETRY_MS)
    return { sent, isExecuted: error !== 'ECONNREFUSED' }
  }

  async function request(
    method: string,
    path: string,
    about: About,
    body?: unknown,
  ) {
    const { sent, response, isExecuted } = await send(method, path, body)
    const event = {
      ...about,
      ...sent,
      request: `${method} ${path} ${JSON.stringify(body) ?? ''}`.trim(),
    }
    const isWrite = event.action !== 'read'
    if (response === undefined) {
      if (isWrite && isExecuted) addEvent(history, event)
      return {}
    }
    const { status, body: json } = response
    const record: StoredRecord | undefined =
      json === '' ? undefined : JSON.parse(json)
    if (status < 300)
      addEvent(history, { ...event, ...(record && { id: record.id }) }, record)
    else if (status === 400 && event.claims)
      addEvent(history, { ...event, isDuplicate: true })
    else if (status === 404 && event.id) addEvent(history, event, null)
    else {
      history.broken.push(`${event.request} returned ${status}: ${json}`)
      if (isWrite && status >= 500)
        addEvent(history, { ...event, end: Infinity })
    }
    return { status, id: record?.id }
  }

  const create = (list: List, sets: Fields, body: object, claims?: string) => {
    const about = { list, action: 'create', sets } as const
    const all = { ...about, ...(claims && { claims }) }
    return request('POST', `/${list}`, all, body)
  }
  const change = (id: string, sets: Fields) =>
    ({ list: 'users', action: 'change', id, sets }) as const

  return {
    createTeam: (name: string) => create('teams', { name }, { name }),
    createUser(email: string, name: string, team_id: string | null) {
      const team = team_id && { id: team_id }
      const sets = fieldsOf({ id: '', email, name, team })
      const body = { email, name, password: 'x', team_id }
      return create('users', sets, body, `e-mail ${email}`)
    },
    changeUser(id: string, body: { name?: string; team_id?: string }) {
      const { name, team_id: team } = body
      const sets = { ...(name && { name }), ...(team && { team }) }
      return request('PATCH', `/users/${id}`, change(id, sets), body)
    },
    assignRole(id: string, role: string) {
      const about = change(id, { [role]: 'assigned' })
      return request('POST', `/users/${id}/roles/${role}`, about)
    },
    deleteUser: (id: string) =>
      request('DELETE', `/users/${id}`, {
        list: 'users',
        action: 'delete',
        id,
      }),
    read: (list: 'users' | 'teams', id: string) =>
      request('GET', `/${list}/${id}`, { list, action: 'read', id }),

    async walk(
      list: List,
      { isPaged = false, team }: { isPaged?: boolean; team?: string } = {},
    ) {
      const pages: { sent: Sent; items: StoredRecord[] }[] = []
      const query = new URLSearchParams({
        ...(isPaged && { limit: `${PAGE}` }),
        ...(team && { team_id: team }),
      })
      for (let failures = 0, isComplete = false; !isComplete; ) {
        const { sent, response } = await send('GET', `/${list}?${query}`)
        if (response?.status === 200) {
          const items: StoredRecord[] = JSON.parse(response.body)
          pages.push({ sent, items })
          query.set('after', items.at(-1)?.id ?? '')
          isComplete = !response.headers.link
        } else if (response)
          return history.broken.push(`GET /${list} returned ${response.status}`)
        else if (++failures > MAX_FAILURES_PER_WALK) return
      }
      addWalk(history, list, pages, team)
    },
  }
}

/**
 * Uses node:http, because `fetch` may send a request twice, although the
 * history records the request once.
 */
async function exchange(outgoing: ClientRequest, body: unknown) {
  outgoing.on('error', () => {})
  outgoing.end(body === undefined ? undefined : JSON.stringify(body))
  try {
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const { statusCode: status = 0, headers } = incoming
    return { response: { status, headers, body: await text(incoming) } }
  } catch (error) {
    const { code, name } = error as NodeJS.ErrnoException
    return { error: code ?? name }
  }
}
