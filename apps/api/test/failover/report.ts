import type { Load, Sighting } from './load.ts'

/** What clients saw, and what is stored in the end. */
export interface Observed {
  readonly load: Load
  /** When the primary was taken away. */
  readonly goneAt: number
  /** All users, as each instance of the service lists them. */
  readonly lists: readonly { id: string; email: string }[][]
}

const RECOVERED_WITHIN_S = 30

/** What the service's time-outs add up to: 5 s for a connection, 10 s for a statement and 1 s for its answer. */
const ANSWERED_WITHIN_S = 16

/** The figures of a run, as lines to print. */
export function table(observed: Observed): string {
  const { acknowledged, foundTaken, sightings } = observed.load
  const { outage, slowest, lost, twice } = figures(observed)
  const rows = [
    ['registrations answered with 201', acknowledged.size],
    ['of these not stored', lost.length],
    ['stored twice', twice.length],
    ['stored although answered with 503', foundTaken.size],
    ['longest time without a 201 in seconds', outage.toFixed(1)],
    ['slowest answer in seconds', slowest.toFixed(1)],
    ['answers before', counted(sightings.filter((seen) => answeredAt(seen) < observed.goneAt))],
    ['answers since', counted(sightings.filter((seen) => answeredAt(seen) >= observed.goneAt))],
  ] as const
  return rows.map(([name, value]) => `${name.padEnd(40)}${value}`).join('\n')
}

/** The promises that a run has broken, each in a line. */
export function broken(observed: Observed): string[] {
  const { acknowledged, foundTaken, sightings } = observed.load
  const { outage, slowest, lost, twice } = figures(observed)
  const unexpected = sightings.filter(({ kind, status }) => !EXPECTED[kind].includes(status))
  const taken = sightings.filter(({ status }) => status === 400).length
  const promises: [kept: boolean, promise: string][] = [
    [acknowledged.size > 0 && sightings.some(({ status }) => status === 503), 'somebody noticed'],
    [lost.length === 0, `what was answered with 201 is there: not ${lost.slice(0, 5)}`],
    [twice.length === 0, `nothing is there twice: but ${twice.slice(0, 5)}`],
    [new Set(observed.lists.map((list) => JSON.stringify(list))).size === 1, 'both instances list the same'],
    [outage <= RECOVERED_WITHIN_S, `registrations are answered again within ${RECOVERED_WITHIN_S} s`],
    [slowest <= ANSWERED_WITHIN_S, `nothing waits longer than ${ANSWERED_WITHIN_S} s`],
    [taken === foundTaken.size, 'an e-mail is taken only where an answer was lost'],
    [unexpected.length === 0, `there is no answer but success and 503: ${counted(unexpected)}`],
  ]
  return promises.filter(([kept]) => !kept).map(([, promise]) => promise)
}

const EXPECTED: Record<Sighting['kind'], Sighting['status'][]> = {
  registration: [201, 400, 503],
  read: [200, 503],
}

function figures({ load, goneAt, lists }: Observed) {
  const served = load.sightings
    .filter(({ status }) => status === 201)
    .map(answeredAt)
    .sort((a, b) => a - b)
  const gaps = served.map((at, n) => (at < goneAt ? 0 : at - (served[n - 1] ?? goneAt)))
  const outage = Math.max(...gaps) / 1000
  const slowest = Math.max(...load.sightings.map(({ ms }) => ms)) / 1000
  const stored = lists.map((list) => new Map(list.map(({ email, id }) => [email, id])))
  const lost = [...load.acknowledged].filter(
    ([email, id]) => !stored.every((users) => users.get(email) === id),
  )
  const twice = lists.flatMap((list) => [...repeated(list, 'id'), ...repeated(list, 'email')])
  return { outage, slowest, lost, twice }
}

const answeredAt = ({ sentAt, ms }: Sighting) => sentAt + ms

function repeated(list: Observed['lists'][number], field: 'id' | 'email'): string[] {
  return [...Map.groupBy(list, (user) => user[field].toLowerCase())]
    .filter(([, users]) => users.length > 1)
    .map(([value]) => value)
}

const counted = (sightings: readonly Sighting[]) =>
  [...Map.groupBy(sightings, ({ kind, status }) => `${kind} ${status}`)]
    .map(([what, of]) => `${what}: ${of.length}`)
    .sort()
    .join(', ')
