import { expect, test } from 'vitest'
import {
  addEvent,
  addWalk,
  createHistory,
  type Event,
  type Fields,
  fieldsOf,
  type History,
  type StoredRecord,
} from './history/history.ts'
import { formatAnomaly, judge } from './history/judge.ts'

const TEAM = { id: 'team-1', name: 'before the run' }
const ROLE = { id: 'role-1', name: 'before the run', description: null }

type At = [client: number, instance: number, start: number, end?: number]

const sentAt = ([client, instance, start, end = Infinity]: At) => ({
  client,
  instance,
  start,
  end,
})

const id = 'user-1'

const user = (name: string, other: object = {}): StoredRecord => ({
  id,
  email: 'a@example.com',
  name,
  team: null,
  roles: [],
  ...other,
})

const [A, B] = [user('a'), user('b')]
const OTHER = user('b', { id: 'user-2', email: 'b@example.com' })
const OLD = user('before the run', { id: 'user-0' })

type Step = (history: History) => void
type Shown = StoredRecord | null

const send =
  (
    action: Event['action'],
    at: At,
    rest: Partial<Event>,
    shows?: Shown,
  ): Step =>
  (history) =>
    addEvent(
      history,
      { ...sentAt(at), list: 'users', action, request: action, ...rest },
      shows,
    )

const read = (at: At, shows: Shown) => send('read', at, { id }, shows)
const change = (at: At, sets: Fields, shows?: Shown) =>
  send('change', at, { id, sets }, shows)
const rename = (at: At, name: string, shows?: Shown) =>
  change(at, { name }, shows)
const remove = (at: At, shows?: null) => send('delete', at, { id }, shows)

function create(
  at: At,
  record: StoredRecord,
  outcome: '201' | 'unknown' | 'duplicate' = '201',
): Step {
  const event = { claims: String(record.email), sets: fieldsOf(record) }
  return outcome === '201'
    ? send('create', at, { ...event, id: record.id }, record)
    : send('create', at, { ...event, isDuplicate: outcome === 'duplicate' })
}

const walk =
  (at: At, items: StoredRecord[], team?: string): Step =>
  (history) =>
    addWalk(history, 'users', [{ sent: sentAt(at), items }], team)

/** Checks a history in which client 0 first creates the user A. */
function judgeSteps(steps: readonly Step[]) {
  const listOf = (record: StoredRecord) =>
    new Map([[record.id, JSON.stringify(record)]])
  const history = createHistory({
    teams: listOf(TEAM),
    roles: listOf(ROLE),
    users: listOf(OLD),
  })
  for (const step of [create([0, 0, 0, 1], A), ...steps]) step(history)
  return judge(history).anomalies
}

const PLANTED: Record<string, Step[]> = {
  'linearizability: the response to a write shows the record as it was before':
    [rename([1, 0, 2, 3], 'b', A)],
  'linearizability: two deletions of a user succeed': [
    remove([1, 0, 2, 3]),
    remove([2, 0, 4, 5]),
  ],
  'linearizability: a deletion does not find an existing user': [
    remove([1, 0, 2, 3], null),
  ],
  'one creation stored more than once: a list has two users of one request without a response':
    [
      create([1, 0, 2], OTHER, 'unknown'),
      walk([1, 0, 4, 5], [OLD, A, OTHER, { ...OTHER, id: 'user-3' }]),
    ],
  'uniqueness: two users are created with one e-mail': [
    create([1, 1, 0, 1], user('b', { id: 'user-2' })),
  ],
  'uniqueness: an e-mail is rejected after its user was deleted': [
    remove([1, 0, 2, 3]),
    create([2, 1, 4, 5], B, 'duplicate'),
  ],
  'a list that skips a record: a user exists during the whole walk': [
    walk([1, 1, 2, 3], [OLD]),
  ],
  'a list that skips a record: a list of members lacks a member': [
    change([1, 0, 2, 3], { team: TEAM.id }, user('a', { team: TEAM })),
    walk([1, 1, 4, 5], [], TEAM.id),
  ],
  'GET /users skips user-0: a user exists before the run': [
    walk([1, 1, 2, 3], [A]),
  ],
  'GET /users repeats user-1: a user is listed twice': [
    walk([1, 1, 2, 3], [OLD, A, A]),
  ],
  'GET /users lists user-0 after user-1: a list is not sorted': [
    walk([1, 1, 2, 3], [A, OLD]),
  ],
  'GET /users returned {"id":"user-0": a user has changed that no client changes':
    [walk([1, 1, 2, 3], [{ ...OLD, name: 'b' }, A])],
  'GET /users?team_id=team-1 contains {"id":"user-1": a list of members contains another user':
    [walk([1, 1, 2, 3], [A], TEAM.id)],
}

test.each(Object.entries(PLANTED))(
  'finds the planted violation of %s',
  (title, steps) => {
    const [rule = ''] = title.split(': ')
    expect(judgeSteps(steps).map(formatAnomaly).join('\n')).toContain(rule)
  },
)

const CORRECT: Record<string, Step[]> = {
  'a write responds 404 after another client has read it and has deleted the user':
    [
      rename([1, 0, 2, 9], 'b', null),
      read([2, 1, 3, 4], B),
      remove([2, 1, 5, 6]),
    ],
  'a write without a response never takes place': [
    rename([1, 0, 2], 'b'),
    remove([2, 0, 3, 4]),
    read([2, 1, 5, 6], null),
    rename([2, 1, 7, 8], 'c', null),
  ],
  'a list shows a user that a creation without a response has stored': [
    create([1, 0, 2], OTHER, 'unknown'),
    walk([2, 1, 2, 3], [OLD, A]),
    walk([2, 1, 4, 5], [OLD, A, OTHER]),
  ],
  'a list of members does not contain a user that changes its team during the walk':
    [
      change([1, 0, 2, 3], { team: TEAM.id }, user('a', { team: TEAM })),
      walk([2, 0, 4, 8], [], TEAM.id),
      change([1, 0, 5], { team: 'team-2' }),
    ],
}

test.each(Object.entries(CORRECT))('accepts %s', (_, steps) => {
  expect(judgeSteps(steps).map(formatAnomaly)).toEqual([])
})
