/* The common parts of the position tests of TypeORM and MikroORM. */
import { TeamId, UserId } from './ids.ts'

export const [ADA, BOB, EVE] = [UserId.generate(), UserId.generate(), UserId.generate()]
export const [TEAM, OTHER] = [TeamId.generate(), TeamId.generate()]

/**
 * What an ORM does with ids in a position:
 * - `right`: converts them.
 * - `parameter`: sends them unchanged, so `rejectIds` throws unless the storage is text.
 * - `row`: returns them as stored.
 * - `wrong`: throws, because the ids are of another type.
 * - `list`: throws, because the ORM converts a list like an id.
 * - `reused`: throws unless the storage is text, because the ORM converts the ids twice.
 * - `untyped`: sends an id of another type or form unchanged. With text it finds nothing, else `rejectIds` throws.
 * - `unchecked`: sends them unchanged, and does not run `rejectIds`.
 */
type Kind = 'right' | 'parameter' | 'row' | 'wrong' | 'list' | 'reused' | 'untyped' | 'unchecked'
export type Position<Context> = [
  name: string,
  kind: Kind,
  run: (context: Context) => unknown,
  expected?: unknown,
]

/** What runs in a position, and its result. */
export type Row<Context> = readonly [run: (context: Context) => unknown, expected?: unknown]

/** Returns the positions of a kind. */
export const positions = <Context>(kind: Kind, rows: Record<string, Row<Context>>): Position<Context>[] =>
  Object.entries(rows).map(([name, [run, expected]]) => [name, kind, run, expected])

type Rows = PromiseLike<{ id?: unknown }[]>
export const idsOf = async (rows: Rows) => (await rows).map(({ id }) => id)

export interface Codec {
  toDatabase(id: UserId): unknown
  fromDatabase(value: unknown): unknown
}

/** Returns the positions of a function that runs SQL. */
export const rawQueries = <Context extends Codec>(
  name: string,
  query: (context: Context, sql: string, parameters?: unknown[]) => Rows,
): Position<Context>[] => {
  const ids = (context: Context) => idsOf(query(context, 'select id from users order by id'))
  const names = (context: Context) => query(context, 'select name from users where id = ?', [ADA])
  const converted = async (context: Context) => (await ids(context)).map(context.fromDatabase)
  return [
    [`${name}, a parameter`, 'parameter', names, [{ name: 'Ada' }]],
    [`${name}, rows`, 'row', ids, [ADA, BOB]],
    [`${name}, rows by fromDatabase`, 'right', converted, [ADA, BOB]],
  ]
}

export const LOADED = [
  [ADA, TEAM],
  [BOB, undefined],
]
export const BOB_MOVED = [
  [ADA, TEAM],
  [BOB, OTHER],
]
export const EVE_ADDED = [
  [ADA, TEAM],
  [BOB, null],
  [EVE, OTHER],
]
export const eve = { id: EVE, name: 'Eve' }
export const bob = { id: BOB, name: 'Bob' }
export const moved = { teamId: OTHER }
