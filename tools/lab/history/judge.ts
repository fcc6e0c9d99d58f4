import type { Event, Fields, History, List, Walk } from './history.ts'
import {
  absence,
  findViolation,
  type Step,
  stepsOfRecord,
  stepsOfUnique,
} from './linearizability.ts'

export interface Anomaly {
  readonly rule: string
  readonly object: string
  readonly requests: readonly Event[]
}

const MAX_SHOWN_REQUESTS = 12

export function judge(history: History) {
  const { events, created, anomalies } = identify(history)
  for (const rule of history.broken)
    anomalies.push({ rule, object: '', requests: [] })

  let checks = 0
  for (const [id, own] of Map.groupBy(events, ({ id = '' }) => id)) {
    const creation = created.get(id)
    if (creation === undefined) continue
    const absences = findAbsences(creation, own, history.walks)
    checks += own.length + absences.length
    const steps = [...stepsOfRecord(own), ...absences]
    const failed = findViolation(steps)
    if (failed === undefined) continue
    const rule = absences.includes(failed)
      ? 'a list that skips a record'
      : 'linearizability'
    anomalies.push({ rule, object: id, requests: requestsUntil(failed, steps) })
  }
  const deletions = Map.groupBy(
    events.filter(isDeletion),
    ({ id = '' }) => created.get(id)?.claims,
  )
  const creations = Map.groupBy(events, ({ claims }) => claims)
  creations.delete(undefined)
  for (const [object = '', claiming] of creations) {
    const steps = stepsOfUnique(claiming, deletions.get(object) ?? [])
    checks += steps.length
    const failed = findViolation(steps)
    if (!failed) continue
    const requests = requestsUntil(failed, steps)
    anomalies.push({ rule: 'uniqueness', object, requests })
  }
  return { anomalies, checks }
}

const requestsUntil = (failed: Step, steps: readonly Step[]): Event[] =>
  [...new Set(steps.map(({ event }) => event))]
    .filter(({ start }) => start <= failed.event.end)
    .sort((a, b) => a.start - b.start)
    .slice(-MAX_SHOWN_REQUESTS)

/** Includes a DELETE without a response, which may have succeeded. */
const isDeletion = ({ action, shows }: Event): boolean =>
  action === 'delete' && shows === undefined

/**
 * Finds the id of a creation without a response: the id of the record with the
 * same fields, because every creation sends a different name.
 */
function identify({ events }: History) {
  const created = new Map<string, Event>()
  const creations = new Map<string, Event>()
  for (const event of events) {
    if (event.action !== 'create' || event.isDuplicate) continue
    creations.set(describe(event.list, event.sets), event)
    if (event.id) created.set(event.id, event)
  }
  const identified = new Map<Event, Event>()
  const anomalies: Anomaly[] = []
  const reported = new Set<string>()
  for (const event of events) {
    const { id, list, shows } = event
    if (id === undefined || !shows || created.has(id) || reported.has(id))
      continue
    const creation = creations.get(describe(list, shows))
    if (creation && !creation.id && !identified.has(creation)) {
      identified.set(creation, { ...creation, id })
      created.set(id, { ...creation, id })
    } else {
      reported.add(id)
      const rule = creation
        ? 'one creation stored more than once'
        : 'a record that no client created'
      const requests = creation ? [creation, event] : [event]
      anomalies.push({ rule, object: id, requests })
    }
  }
  return {
    events: events.map((event) => identified.get(event) ?? event),
    created,
    anomalies,
  }
}

const describe = (list: List, fields: Fields = {}): string =>
  `${list} ${JSON.stringify(Object.entries(fields).sort())}`

function findAbsences(
  creation: Event,
  own: readonly Event[],
  walks: readonly Walk[],
): Step[] {
  const { id = '', start, list } = creation
  const deletedAt = Math.min(...own.filter(isDeletion).map(({ end }) => end))
  return walks
    .filter(
      (walk) =>
        walk.list === list &&
        !walk.ids.has(id) &&
        start <= walk.end &&
        walk.start <= deletedAt,
    )
    .map(({ ids: _, team, ...sent }) => {
      const request = `GET /${list}${team ? `?team_id=${team}` : ''} without it`
      return absence({ ...sent, id, action: 'read', request }, team)
    })
}

export function formatAnomaly({ rule, object, requests }: Anomaly): string {
  const origin = Math.min(...requests.map(({ start }) => start))
  const ms = (time: number) =>
    time === Infinity ? 'no response' : `${(time - origin).toFixed(1)} ms`
  const lines = requests.map((event) => {
    const { client, instance, start, end, request, shows, isDuplicate } = event
    const shown = isDuplicate ? 'duplicate' : JSON.stringify(shows)
    const line = `${ms(start)} to ${ms(end)}, client ${client}, instance ${instance}: ${request}: ${shown}`
    return `  ${object ? line.replaceAll(object, '{id}') : line}`
  })
  return [object ? `${rule}, ${object}` : rule, ...lines].join('\n')
}
