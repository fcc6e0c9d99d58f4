import type pg from 'pg'
import { TABLE_KEYS } from './schema.ts'

/** Removes the prefix of an id. Other values remain as they are. */
const bare = (column: string) => `regexp_replace(${column}::text, '^(user|team)-', '')`

export async function countRows(db: pg.Client): Promise<number> {
  let rows = 0
  for (const table of Object.keys(TABLE_KEYS))
    rows += Number((await db.query(`select count(*) from ${table}`)).rows[0].count)
  return rows
}

/**
 * Counts the rows from before the migration that are missing or have other values, the acknowledged rows of clients that
 * are missing, and the deleted ones that are there.
 */
export async function countLostRows(
  db: pg.Client,
  users: ReadonlyMap<string, 'created' | 'deleted'>,
): Promise<number> {
  let lost = 0
  for (const [table, columns] of Object.entries(TABLE_KEYS)) {
    const { rows } = await db.query(`select count(*) from (select ${columns.join(', ')} from before.${table}
      except all select ${columns.map(bare).join(', ')} from ${table}) missing`)
    lost += Number(rows[0].count)
  }
  const [created, deleted] = (['created', 'deleted'] as const).map((wanted) =>
    [...users].filter(([, state]) => state === wanted).map(([uuid]) => `user-${uuid}`),
  )
  for (const [table, column] of [
    ['users', 'id'],
    ['memberships', 'user_id'],
    ['invitations', 'invited_by'],
    ['events', 'user_id'],
  ]) {
    const { rows } = await db.query(
      `select (select count(*) from unnest($1::text[]) c(id) where not exists (select from ${table} t where t.${column} = c.id))
        + (select count(*) from ${table} where ${column} = any($2::text[])) as lost`,
      [created, deleted],
    )
    lost += Number(rows[0].lost)
  }
  return lost
}

/** The foreign keys of the tables, with the columns of the child and of the parent. */
const REFERENCES = [
  ['users', 'team_id', 'teams', 'id'],
  ['users', 'manager_id', 'users', 'id'],
  ['teams', 'owner_id', 'users', 'id'],
  ['memberships', 'team_id', 'teams', 'id'],
  ['memberships', 'user_id', 'users', 'id'],
  ['invitations', 'team_id, invited_by', 'memberships', 'team_id, user_id'],
  ['events', 'user_id', 'users', 'id'],
] as const

/** Counts rows without the row that they refer to, and foreign keys that are missing or not validated. */
export async function countBrokenReferences(db: pg.Client): Promise<number> {
  let broken = 0
  for (const [table, columns, parent, parentColumns] of REFERENCES) {
    const { rows } =
      await db.query(`select count(*) from (select ${columns} from ${table} where (${columns}) is not null
      except select ${parentColumns} from ${parent}) missing`)
    broken += Number(rows[0].count)
  }
  const { rows } = await db.query(
    `select count(*) from pg_constraint where contype = 'f' and convalidated and connamespace = 'public'::regnamespace`,
  )
  return broken + Math.abs(REFERENCES.length - Number(rows[0].count))
}
