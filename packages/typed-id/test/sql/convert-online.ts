import type pg from 'pg'
import { expect, test } from 'vitest'
import { readBlocks, readDatabase, withDatabase } from './convert-database.ts'

const [
  setup = [],
  add = [],
  undoAdd = [],
  trigger = [],
  undoTrigger = [],
  fill = [],
  validate = [],
  ...rest
] = readBlocks('online')
const [build = [], undoBuild = [], change = [], undoChange = [], drop = []] = rest

/** The steps of the page, and how to go back from each. */
const STEPS: readonly (readonly [title: string, forward: string[], back: string[]])[] = [
  ['1', add, undoAdd],
  ['2', trigger, undoTrigger],
  ['3', fill, []],
  ['4', validate, []],
  ['5', build, undoBuild],
  ['6', change, undoChange],
  ['7', drop, []],
]

const ROWS = `insert into users (id, name) select gen_random_uuid(), 'user ' || n from generate_series(1, 10500) n;
  insert into posts (id, user_id) select row_number() over (), id from users`

async function run(client: pg.Client, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await client.query(statement)
}

/** Returns the uuids of posts and users. Columns that exist during the conversion only are left out. */
const readPosts = async (client: pg.Client) =>
  (
    await client.query(
      `select p.id, right(p.user_id::text, 36) as user_id, u.name from posts p join users u on u.id = p.user_id order by 1`,
    )
  ).rows

let count = 0

/** Writes as the application does at any step: an insert, an update of a name and a delete with its cascade. */
async function write(client: pg.Client, prefix: string): Promise<void> {
  const n = 100_000 + count++
  const { rows } = await client.query(`insert into users (name) values ('new ${n}') returning id`)
  expect(rows[0].id).toMatch(new RegExp(`^${prefix}[0-9a-f]{8}-`))
  await client.query('insert into posts (id, user_id) values ($1, $2)', [n, rows[0].id])
  await client.query(
    `update users set name = name || '!' where id = (select user_id from posts where id = $1)`,
    [count],
  )
  await client.query('delete from users where id = (select user_id from posts where id = $1)', [
    count + 10_000,
  ])
}

/** Tests the page on tables that cannot be locked. */
export function testOnlinePage(connection: () => pg.ClientConfig): void {
  test('online.md: converts 10,500 rows while the application writes', async () => {
    await withDatabase(connection(), async (client) => {
      await run(client, [...setup, ROWS])
      for (const [title, forward] of STEPS) {
        if (title !== '7') await write(client, title > '6' ? 'user-' : '')
        const before = await readPosts(client)
        for (const statement of forward) {
          await client.query(statement)
          if (title === '7') await write(client, 'user-')
          else if (statement === forward.at(-1)) expect(await readPosts(client)).toEqual(before)
        }
      }
      const { rows } = await client.query(`select count(*)::int as posts, count(u.id)::int as users,
        bool_and(p.user_id ~ '^user-[0-9a-f-]{36}$') as valid from posts p left join users u on u.id = p.user_id`)
      expect(rows).toEqual([{ posts: 10_500, users: 10_500, valid: true }])
      await expect(client.query("insert into users (id, name) values ('team-1', '')")).rejects.toMatchObject({
        constraint: 'users_id_form',
      })
    })
  }, 120_000)

  test('online.md: each step can be undone', async () => {
    await withDatabase(connection(), async (client) => {
      await run(client, [...setup, ROWS.replace('10500', '50')])
      const before = await readDatabase(client)
      for (const last of STEPS.keys()) {
        if (last === STEPS.length - 1) continue
        const steps = STEPS.slice(0, last + 1)
        for (const [, forward] of steps) await run(client, forward)
        // The way back from the switch removes everything.
        for (const [title, , back] of steps.toReversed())
          if (last < 5 || title === '6') await run(client, back)
        const after = await readDatabase(client)
        expect(after.definitions).toEqual(before.definitions)
        expect(sortRows(after.rows)).toEqual(sortRows(before.rows))
      }
    })
  }, 120_000)

  test('online.md: a write without the trigger, and a check before all rows are filled, fail', async () => {
    await withDatabase(connection(), async (client) => {
      await run(client, [...setup, ROWS.replace('10500', '50'), ...add, ...trigger])
      await expect(client.query(validate[0] ?? '')).rejects.toMatchObject({ constraint: 'users_new_id_same' })
      await client.query('set session_replication_role = replica')
      await expect(client.query("insert into users (name) values ('x')")).rejects.toMatchObject({
        code: '23514',
      })
      await run(client, ['reset session_replication_role', ...fill, ...validate, ...build, ...change])
      await client.query('set session_replication_role = replica')
      await expect(
        client.query('update posts set user_id = (select max(id) from users)'),
      ).rejects.toMatchObject({ constraint: 'posts_old_user_id_same' })
    })
  })

  test('live-tables.md: adds a uuid beside an integer', async () => {
    await withDatabase(connection(), async (client) => {
      await client.query(
        'create table orders (id int primary key); insert into orders select generate_series(1, 9)',
      )
      await run(client, readBlocks('live-tables').flat())
      const { rows } = await client.query('select count(distinct public_id)::int as ids from orders')
      expect(rows).toEqual([{ ids: 9 }])
    })
  })
}

/** Updated rows move to the end of their table. */
function sortRows(tables: Record<string, Record<string, string | null>[]>) {
  return Object.entries(tables).map(([name, rows]) => [name, rows.map((row) => JSON.stringify(row)).sort()])
}
