import { expect, test } from 'vitest'
import {
  addEvent,
  addWalk,
  createHistory,
  type Event,
  fieldsOf,
  type Sent,
  type StoredRecord,
} from './history/history.ts'
import { formatAnomaly, judge } from './history/judge.ts'

const TEAM = { id: 'team-1', name: 'before the run' }
const ROLE = { id: 'role-1', name: 'before the run', description: null }

/**
 * Returns who sent a request to which instance, and when. `end` is undefined if
 * there is no response.
 */
const sent = (
  client: number,
  instance: number,
  start: number,
  end = Infinity,
): Sent => ({
  client,
  instance,
  start,
  end,
})

/** The change that assigns ROLE to a user. */
const ASSIGNED = { [ROLE.id]: 'assigned' }

const user = (
  name: string,
  other: Partial<StoredRecord> = {},
): StoredRecord => ({
  id: 'user-1',
  email: 'a@example.com',
  name,
  team: null,
  roles: [],
  ...other,
})

const withRole = (name: string) => user(name, { roles: [ROLE] })

const OTHER_USER: StoredRecord = { ...user('before the run'), id: 'user-0' }

/**
 * Returns a history in which client 0 has created `user('a')` in the first
 * millisecond.
 */
function start() {
  const before = {
    teams: new Map([[TEAM.id, JSON.stringify(TEAM)]]),
    roles: new Map([[ROLE.id, JSON.stringify(ROLE)]]),
    users: new Map([['user-0', JSON.stringify(OTHER_USER)]]),
  }
  const history = createHistory(before)
  const add = (
    action: Event['action'],
    at: Sent,
    rest: Partial<Event> = {},
    shows?: StoredRecord | null,
  ) =>
    addEvent(
      history,
      { ...at, action, list: 'users', id: 'user-1', request: action, ...rest },
      shows,
    )
  const run = {
    history,
    read: (at: Sent, shows: StoredRecord | null) => add('read', at, {}, shows),
    change: (at: Sent, sets: Event['sets'], shows?: StoredRecord | null) =>
      add('change', at, { sets: sets ?? {} }, shows),
    remove: (at: Sent, shows?: null) => add('delete', at, {}, shows),
    create(
      at: Sent,
      record: StoredRecord,
      outcome: '201' | 'unknown' | 'duplicate' = '201',
    ) {
      const about = {
        list: 'users',
        claims: String(record.email),
        sets: fieldsOf(record),
      } as const
      const event = {
        ...at,
        ...about,
        action: 'create',
        request: 'create',
      } as const
      if (outcome === '201')
        addEvent(history, { ...event, id: record.id }, record)
      else addEvent(history, { ...event, isDuplicate: outcome === 'duplicate' })
    },
    walk: (at: Sent, items: StoredRecord[]) =>
      addWalk(history, 'users', [{ sent: at, items: [OTHER_USER, ...items] }]),
  }
  run.create(sent(0, 0, 0, 1), user('a'))
  return run
}

type Run = ReturnType<typeof start>

/** Histories with a violation, by the rule that the judge must name. */
const PLANTED: Record<string, (run: Run) => void> = {
  'linearizability: a client reads an old value after the write of another client'({
    change,
    read,
  }) {
    change(sent(1, 0, 2, 3), { name: 'b' }, user('b'))
    read(sent(2, 1, 4, 5), user('a'))
  },
  'linearizability: the response to a write shows the record as it was before'({
    change,
  }) {
    change(sent(1, 0, 2, 3), { name: 'b' }, user('a'))
  },
  'linearizability: the response to a write shows what was read after it before another client wrote it'({
    change,
    read,
  }) {
    change(sent(1, 0, 2, 3), { name: 'b' }, user('c'))
    read(sent(2, 0, 4, 5), user('b'))
    change(sent(3, 0, 6, 7), { name: 'c' }, user('c'))
  },
  'linearizability: a client reads the user that it has deleted'({
    remove,
    read,
  }) {
    remove(sent(1, 0, 2, 3))
    read(sent(1, 1, 4, 5), user('a'))
  },
  'linearizability: a client reads a new value and then the old one'({
    change,
    read,
  }) {
    change(sent(1, 0, 2, 9), { name: 'b' }, user('b'))
    read(sent(2, 0, 3, 4), user('b'))
    read(sent(2, 1, 5, 6), user('a'))
  },
  'linearizability: a write without a response takes place twice'({
    change,
    read,
  }) {
    change(sent(1, 0, 2), { name: 'b' })
    read(sent(2, 0, 3, 4), user('b'))
    change(sent(3, 0, 5, 6), { name: 'c' }, user('c'))
    read(sent(2, 0, 7, 8), user('b'))
  },
  'linearizability: one response has the new role only, another the new name only'({
    change,
    read,
  }) {
    change(sent(1, 0, 2, 6), { name: 'b' }, user('b'))
    change(sent(2, 0, 3, 7), ASSIGNED, withRole('b'))
    read(sent(3, 0, 4, 5), withRole('a'))
    read(sent(4, 1, 4, 5), user('b'))
  },
  'linearizability: the responses to two concurrent writes do not show each other'({
    change,
  }) {
    change(sent(1, 0, 2, 7), { name: 'b' }, user('b'))
    change(sent(2, 1, 3, 6), ASSIGNED, withRole('a'))
  },
  'one creation stored more than once: a list has two users of one request without a response'({
    create,
    walk,
  }) {
    const twice = user('b', { email: 'b@example.com' })
    create(sent(1, 0, 2), twice, 'unknown')
    walk(sent(1, 0, 4, 5), [
      user('a'),
      { ...twice, id: 'user-2' },
      { ...twice, id: 'user-3' },
    ])
  },
  'uniqueness: two users are created with one e-mail': ({ create }) =>
    create(sent(1, 1, 0, 1), user('b', { id: 'user-2' })),
  'uniqueness: an e-mail is rejected after its user was deleted'({
    create,
    remove,
  }) {
    remove(sent(1, 0, 2, 3))
    create(sent(2, 1, 4, 5), user('b'), 'duplicate')
  },
  'a reference to a record that no client created: a user has an unknown team':
    ({ read }) =>
      read(sent(1, 0, 2, 3), user('a', { team: { id: 'team-2', name: 'b' } })),
  'a list that skips a record: a user exists during the whole walk': ({
    walk,
  }) => walk(sent(1, 1, 2, 3), []),
  'GET /users skips user-0: a user exists before the run': ({ history }) =>
    addWalk(history, 'users', [{ sent: sent(1, 1, 2, 3), items: [user('a')] }]),
  'GET /users repeats user-1: a user is listed twice': ({ walk }) =>
    walk(sent(1, 1, 2, 3), [user('a'), user('a')]),
}

test.each(Object.entries(PLANTED))(
  'finds the planted violation of %s',
  (title, plant) => {
    const run = start()
    plant(run)
    expect(judge(run.history).anomalies.map(({ rule }) => rule)).toContain(
      title.split(': ')[0],
    )
  },
)

test('an anomaly has the last requests before the response that contradicts them', () => {
  const { change, read, history } = start()
  for (let n = 1; n < 20; n += 1) {
    change(sent(1, 0, 10 * n, 10 * n + 2), { name: `b${n}` }, user(`b${n}`))
    read(sent(2, 1, 10 * n + 3, 10 * n + 6), user(`b${n === 15 ? 14 : n}`))
  }
  const [anomaly = '', ...others] = judge(history).anomalies.map(formatAnomaly)
  expect(others).toEqual([])
  const [title, ...lines] = anomaly.split('\n')
  expect(title).toBe('linearizability, user-1')
  expect(lines).toHaveLength(12)
  expect(lines.at(-1)).toMatch(
    /^ {2}53.0 ms to 56.0 ms, client 2, instance 1: read: \{.*"name":"b14"/,
  )
})

/** Histories that look unusual, but keep every promise. */
const CORRECT: Record<string, (run: Run) => void> = {
  'the response to a write shows a later write of another client, and a read between them the first one'({
    change,
    read,
  }) {
    change(sent(1, 0, 2, 9), { name: 'b' }, user('c'))
    read(sent(2, 1, 3, 4), user('b'))
    change(sent(3, 1, 5, 6), { name: 'c' }, user('c'))
  },
  'a write responds 404 after another client has read it and has deleted the user'({
    change,
    read,
    remove,
  }) {
    change(sent(1, 0, 2, 9), { name: 'b' }, null)
    read(sent(2, 1, 3, 4), user('b'))
    remove(sent(2, 1, 5, 6))
  },
  'a write without a response takes place later'({ change, read }) {
    change(sent(1, 0, 2), { name: 'b' })
    read(sent(2, 0, 3, 4), user('a'))
    read(sent(2, 1, 50, 51), user('b'))
  },
  'a write without a response never takes place'({ change, remove, read }) {
    change(sent(1, 0, 2), { name: 'b' })
    remove(sent(2, 0, 3, 4))
    read(sent(2, 1, 5, 6), null)
    change(sent(2, 1, 7, 8), { name: 'c' }, null)
  },
  'concurrent writes of two fields'({ change, read }) {
    change(sent(1, 0, 2, 7), { name: 'b' }, withRole('b'))
    change(sent(2, 1, 3, 6), ASSIGNED, withRole('a'))
    read(sent(3, 1, 4, 5), user('a'))
  },
  'an e-mail is used again after a deletion'({ create, remove }) {
    create(sent(2, 1, 2, 5), user('b'), 'duplicate')
    remove(sent(1, 0, 2, 4))
    create(sent(3, 1, 3, 6), user('c', { id: 'user-2' }))
  },
  'a creation without a response has taken the e-mail'({ create }) {
    const other = user('b', { id: 'user-2', email: 'b@example.com' })
    create(sent(1, 0, 2), other, 'unknown')
    create(sent(2, 1, 4, 5), { ...other, name: 'c' }, 'duplicate')
  },
  'a list shows a user that a creation without a response has stored'({
    create,
    walk,
  }) {
    const other = user('b', { id: 'user-2', email: 'b@example.com' })
    create(sent(1, 0, 2), other, 'unknown')
    walk(sent(2, 1, 2, 3), [user('a')])
    walk(sent(2, 1, 4, 5), [user('a'), other])
  },
  'a list does not contain a user that is deleted during the walk'({
    remove,
    walk,
  }) {
    remove(sent(1, 0, 3, 6))
    walk(sent(2, 1, 2, 4), [])
  },
  'a list of members does not contain a user that changes its team during the walk'({
    history,
    change,
  }) {
    change(sent(1, 0, 2, 3), { team: 'team-1' }, user('a', { team: TEAM }))
    addWalk(history, 'users', [{ sent: sent(2, 0, 4, 8), items: [] }], 'team-1')
    change(sent(1, 0, 5), { team: 'team-2' })
  },
}

test.each(Object.entries(CORRECT))('accepts %s', (_, plant) => {
  const run = start()
  plant(run)
  expect(judge(run.history).anomalies.map(formatAnomaly)).toEqual([])
})
