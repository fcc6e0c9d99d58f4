import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { defineId } from 'typed-id'

const UserId = defineId('user')

/** Pause of a client between two requests, so that the clients leave some processor time to the migration. */
const PAUSE_MS = 5

export interface Clients {
  /** The time that each request has taken, with its repetition. */
  readonly reads: readonly number[]
  readonly writes: readonly number[]
  /** Requests that were sent with bare uuids after the switch, and repeated with ids. */
  readonly repeated: number
  readonly failures: readonly string[]
  /** Every user that was created and acknowledged, by its bare uuid, and whether it was deleted later. */
  readonly users: ReadonlyMap<string, 'created' | 'deleted'>
  stop(): Promise<void>
}

/** The ids of one request in the form that the database has at that time. */
type Send = (client: pg.Client, form: (uuid: string) => string) => Promise<boolean>

/**
 * Starts readers and writers on a database. They are one application that can send both forms: it sends bare uuids until
 * a request fails or finds no row, repeats that request with ids, and sends ids from then on.
 */
export async function startClients(url: string, count: number, known: readonly string[]): Promise<Clients> {
  const [reads, writes, failures] = [[] as number[], [] as number[], [] as string[]]
  const users = new Map<string, 'created' | 'deleted'>()
  let form: 'bare' | 'typed' = 'bare'
  let repeated = 0
  let isStopping = false

  /** Returns whether the request was successful. */
  async function request(client: pg.Client, times: number[], send: Send): Promise<boolean> {
    const started = performance.now()
    const sent = form
    let failure = await attempt(client, send, sent)
    if (failure && sent === 'bare') {
      repeated += 1
      failure = await attempt(client, send, 'typed')
      if (!failure) form = 'typed'
    }
    if (failure) failures.push(failure)
    times.push(performance.now() - started)
    return !failure
  }

  const pick = () => known[Math.floor(Math.random() * known.length)] as string

  const read: Send = async (client, toForm) => {
    const { rows } = await client.query(
      'select m.role from users u join memberships m on (m.team_id, m.user_id) = (u.team_id, u.id) where u.id = $1',
      [toForm(pick())],
    )
    return rows.length === 1
  }

  /** Creates a user in the team of another one, with rows in three tables, in one transaction. */
  async function create(client: pg.Client): Promise<void> {
    const uuid = UserId.toUuid(UserId.generate())
    const manager = pick()
    const isCreated = await request(client, writes, (client, toForm) =>
      inTransaction(client, async () => {
        const { rows } = await client.query(
          'insert into users (id, email, team_id, manager_id) select $1, $2, team_id, id from users where id = $3 returning team_id',
          [toForm(uuid), `${uuid}@example.com`, toForm(manager)],
        )
        if (rows.length === 0) return false
        const team = rows[0].team_id
        await client.query(`insert into memberships (team_id, user_id, role) values ($1, $2, 'new')`, [
          team,
          toForm(uuid),
        ])
        await client.query(`insert into invitations (team_id, invited_by, email) values ($1, $2, 'x')`, [
          team,
          toForm(uuid),
        ])
        await client.query(`insert into events (user_id, note) values ($1, 'created')`, [toForm(uuid)])
        return true
      }),
    )
    if (isCreated) users.set(uuid, 'created')
  }

  /** All writers change one row. */
  async function changeManager(client: pg.Client): Promise<void> {
    const ids = known.slice(0, 2)
    await request(client, writes, async (client, toForm) => {
      const { rowCount } = await client.query(
        'update users set manager_id = $2 where id = $1',
        ids.map(toForm),
      )
      return rowCount === 1
    })
  }

  async function remove(client: pg.Client): Promise<void> {
    const uuid = [...users].findLast(([, state]) => state === 'created')?.[0]
    if (uuid === undefined) return
    users.set(uuid, 'deleted') // before the request, so that no other client deletes the user, too
    await request(client, writes, async (client, toForm) => {
      const { rowCount } = await client.query('delete from users where id = $1', [toForm(uuid)])
      return rowCount === 1
    })
  }

  async function run(work: (client: pg.Client, turn: number) => Promise<void>): Promise<void> {
    const client = new pg.Client(url)
    await client.connect()
    for (let turn = 0; !isStopping; turn += 1) {
      await work(client, turn)
      await sleep(PAUSE_MS)
    }
    await client.end()
  }

  const running = Array.from({ length: count }, () => [
    run(async (client) => void (await request(client, reads, read))),
    run((client, turn) =>
      turn % 10 === 9 ? remove(client) : turn % 3 === 2 ? changeManager(client) : create(client),
    ),
  ]).flat()
  return {
    reads,
    writes,
    failures,
    users,
    get repeated() {
      return repeated
    },
    async stop() {
      isStopping = true
      await Promise.all(running)
    },
  }
}

/** Sends a request with ids in one form, and returns why it failed. */
async function attempt(client: pg.Client, send: Send, form: 'bare' | 'typed'): Promise<string | undefined> {
  try {
    const isDone = await send(client, form === 'bare' ? (uuid) => uuid : (uuid) => UserId.fromUuid(uuid))
    return isDone ? undefined : 'a request found no row'
  } catch (error) {
    return (error as Error).message
  }
}

async function inTransaction(client: pg.Client, work: () => Promise<boolean>): Promise<boolean> {
  await client.query('begin')
  try {
    const isDone = await work()
    await client.query(isDone ? 'commit' : 'rollback')
    return isDone
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}
