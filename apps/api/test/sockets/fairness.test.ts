import type { KyselyPlugin } from 'kysely'
import { openSocket, sendRaw } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import { TeamId } from '../../src/ids.ts'
import {
  assignRoles,
  insertRoles,
  insertUsers,
} from '../support/http-fixture.ts'
import { listenForTest } from '../support/listen.ts'
import { CLOSE, GET, statusesOf } from './bytes.ts'

let reads: { turn: number; rows: number }[]

const currentTurn = () => performance.nodeTiming.uvMetricsInfo.loopCount

const countRows: KyselyPlugin = {
  transformQuery: ({ node }) => node,
  async transformResult({ result }) {
    const rows = result.rows.length
    if (rows > 0) reads.push({ turn: currentTurn(), rows })
    return result
  },
}

async function startWithLongLists() {
  const service = await listenForTest('a', {
    options: (database) => ({
      database: { ...database, db: database.db.withPlugin(countRows) },
    }),
  })
  const { db } = service
  const name = '😀'.repeat(100)
  const teams = TeamId.generateMany(300).map((id) => ({ id, name }))
  await db.insertInto('teams').values(teams).execute()
  const texts = { name: '😀'.repeat(40), description: '😀'.repeat(200) }
  const users = await insertUsers(db, 100, { name, team_id: teams[0]?.id })
  await assignRoles(db, users, await insertRoles(db, 100, texts))
  reads = []
  return service
}

async function readLists(port: number, count: number): Promise<void> {
  const lists = ['/users', '/users?limit=1000', '/roles', '/teams?limit=1000']
  for (let n = 0; n < count; n += 1) {
    const socket = await openSocket(port)
    onTestFinished(() => void socket.destroy())
    socket.resume()
    socket.write(GET(lists[n % lists.length] ?? '').repeat(50))
  }
  await expect.poll(() => reads.length).toBeGreaterThan(100)
}

test('all lists of the service read one page per turn of the event loop, and leave turns to other requests', async () => {
  const { port } = await startWithLongLists()
  await readLists(port, 16)
  const turns = reads.map(({ turn }) => turn)
  expect(new Set(turns).size).toBe(turns.length)
  const [first = 0, last = 0] = [turns[0], turns.at(-1)]
  const turnsPerPage = (last - first) / turns.length
  expect(turnsPerPage).toBeGreaterThan(4)
})

test('a list reads fewer items at a time when they are large', async () => {
  const { get } = await startWithLongLists()
  expect((await get('/users')).json).toHaveLength(100)
  const usersPerRead = reads.map(({ rows }) => rows / 100)
  // A page ends after 128 Ki characters, which three users of 56,000 characters
  // exceed. The service reads a fourth user to know whether there is a next
  // page.
  expect(Math.max(...usersPerRead)).toBe(4)
})

test('beside any number of lists, a new connection waits for a few pages, also when many are opened at once', async () => {
  const { port } = await startWithLongLists()
  await readLists(port, 60)
  const before = reads.length
  const check = () => statusesOf(port, GET('/healthz', CLOSE))
  const checks = await Promise.all(Array.from({ length: 30 }, check))
  expect(checks).toEqual(checks.map(() => [200]))
  expect(reads.length - before).toBeLessThan(30)
})

test('the pipelined requests of a connection run in separate turns, between which others connect', async () => {
  const turns: number[] = []
  const { port } = await listenForTest('a', {
    options: () => ({ observers: [() => turns.push(currentTurn())] }),
  })
  const paths = ['/missing', '/healthz', '/users/x', '/readyz']
  const requests = paths.map((path) => GET(path)).join('')
  await sendRaw(port, requests.repeat(20) + GET('/', CLOSE))
  expect(turns).toHaveLength(81)
  // A pipelined request that arrives when no request runs does not wait for the
  // next iteration of the event loop. So some of the 81 requests may share an
  // iteration.
  expect(new Set(turns).size).toBeGreaterThan(70)
})
