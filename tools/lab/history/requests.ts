import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../kit/clients.ts'
import { outcomeOf } from '../kit/http.ts'
import type { StoredRecord } from '../kit/ledger.ts'
import { type Counts, count } from '../kit/statistics.ts'
import { addEvent, addWalk, type Event, fieldsOf, type History, type List, type Sent } from './history.ts'

/** How long a client prefers another instance to one that did not respond, as a load balancer does. */
const AVOID_MS = 500

/** Items of a page. */
const PAGE = 250

type Write = Pick<Event, 'action' | 'list'> & Partial<Pick<Event, 'id' | 'sets' | 'claims'>>

/** A response other than 503, or none. */
interface Received {
  readonly sent: Sent
  /** Undefined without a response, and for 503. */
  readonly status: number | undefined
  readonly body: unknown
  readonly hasNextPage: boolean
  /** False if the instance accepted no connection. */
  readonly wasSent: boolean
}

/** Sends the requests of one client to random instances and adds them to the history. */
export type Requests = ReturnType<typeof createRequests>

export function createRequests(
  client: Pick<Client, 'index' | 'send'>,
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

  async function send(method: string, path: string, body?: unknown): Promise<Received> {
    const instance = chooseInstance()
    const exchange = await client.send({ method, path, ...(body !== undefined && { body }) }, urls[instance])
    const { response, error, sentAt: start, ms } = exchange
    count(outcomes, outcomeOf(exchange))
    const sent = { client: client.index, instance, start }
    if (response === undefined || response.status === 503) {
      avoidedUntil[instance] = performance.now() + AVOID_MS
      await pause(20)
      const wasSent = error !== 'ECONNREFUSED'
      return {
        sent: { ...sent, end: Infinity },
        status: undefined,
        body: undefined,
        wasSent,
        hasNextPage: false,
      }
    }
    return {
      sent: { ...sent, end: start + ms },
      status: response.status,
      body: response.body === '' ? undefined : JSON.parse(response.body),
      wasSent: true,
      hasNextPage: response.headers.has('link'),
    }
  }

  /** Adds a write or a read of one record to the history, and returns the status. */
  async function request(method: string, path: string, event: Write, body?: unknown) {
    const { sent, status, body: received, wasSent } = await send(method, path, body)
    const record = received as StoredRecord | undefined
    const added = {
      ...event,
      ...sent,
      request: `${method} ${path} ${body ? JSON.stringify(body) : ''}`.trim(),
    }
    if (status === undefined) {
      if (event.action !== 'read' && wasSent) addEvent(history, added)
    } else if (status === 400 && event.claims) addEvent(history, { ...added, isDuplicate: true })
    else if (status === 404 && event.id) addEvent(history, added, null)
    else if (status < 300) addEvent(history, { ...added, ...(record && { id: record.id }) }, record)
    else history.broken.push(`${added.request} returned ${status}: ${JSON.stringify(received)}`)
    return { status, id: record?.id }
  }

  return {
    createTeam: (name: string) =>
      request('POST', '/teams', { list: 'teams', action: 'create', sets: { name } }, { name }),
    createRole: (name: string, description: string) => {
      const sets = { name, description }
      return request(
        'POST',
        '/roles',
        { list: 'roles', action: 'create', sets, claims: `role ${name}` },
        sets,
      )
    },
    createUser(email: string, name: string, team_id: string | null) {
      const sets = fieldsOf({ id: '', email, name, team: team_id && { id: team_id } })
      const event: Write = { list: 'users', action: 'create', sets, claims: `e-mail ${email}` }
      return request('POST', '/users', event, { email, name, password: 'x', team_id })
    },
    changeUser(id: string, change: { name?: string; team_id?: string }) {
      const { name, team_id: team } = change
      const sets = { ...(name && { name }), ...(team && { team }) }
      return request('PATCH', `/users/${id}`, { list: 'users', action: 'change', id, sets }, change)
    },
    assignRole: (id: string, role: string) =>
      request('POST', `/users/${id}/roles/${role}`, {
        ...{ list: 'users', action: 'change', id },
        sets: { [role]: 'assigned' },
      }),
    deleteUser: (id: string) => request('DELETE', `/users/${id}`, { list: 'users', action: 'delete', id }),
    read: (list: 'users' | 'teams', id: string) =>
      request('GET', `/${list}/${id}`, { list, action: 'read', id }),

    /** Reads a list with one request, or page by page, each page from a random instance. */
    async walk(list: List, { isPaged = false, team }: { isPaged?: boolean; team?: string } = {}) {
      const pages: { sent: Sent; items: StoredRecord[] }[] = []
      for (let failures = 0, isComplete = false; !isComplete; ) {
        const query = new URLSearchParams({
          ...(isPaged && { limit: `${PAGE}` }),
          ...(team && { team_id: team }),
        })
        const after = pages.at(-1)?.items.at(-1)?.id
        if (after !== undefined) query.set('after', after)
        const { sent, status, body, hasNextPage } = await send(
          'GET',
          `/${list}${query.size > 0 ? `?${query}` : ''}`,
        )
        if (status === 200) pages.push({ sent, items: body as StoredRecord[] })
        else if (status !== undefined) return history.broken.push(`GET /${list} returned ${status}`)
        else if (++failures > 3) return
        isComplete = status === 200 && !hasNextPage
      }
      addWalk(history, list, pages, team)
    },
  }
}
