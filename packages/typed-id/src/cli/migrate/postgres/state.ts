import type { Strategy } from '../arguments.ts'
import { MigrationError } from '../error.ts'
import type { Catalogue } from './catalogue.ts'
import type { Session } from './connect.ts'

/** A run of the strategy online, as its table in the database keeps it until the last step. */
export interface State {
  /** The arguments and the version of typed-id: only the same ones continue a run. */
  readonly run: string
  /** As it was before the first step: the plan is derived from it again. */
  readonly catalogue: Catalogue
  /** The index of the next step. */
  readonly step: number
  /** The first page that the backfill of that step has not updated. */
  readonly page: number
}

const TABLE = 'typed_id_migration'

/** Returns the state of a run that was interrupted, or undefined. Throws if that run had other arguments. */
export async function readState(session: Session, run: string): Promise<State | undefined> {
  const { rows: tables } = await session.query(`select to_regclass('${TABLE}') as name`)
  if (tables[0]?.name === null) return undefined
  const { rows } = await session.query(`select run, catalogue, step, page::float8 as page from ${TABLE}`)
  const [state] = rows as State[]
  if (state && state.run !== run)
    throw new MigrationError(
      `the database contains a half-done migration, started with ${state.run}: run that one again to complete it`,
    )
  return state
}

export async function createState(session: Session, run: string, catalogue: Catalogue): Promise<State> {
  await session.query(`create table ${TABLE} (run text not null, catalogue json not null, step int not null, page bigint not null);
    insert into ${TABLE} values (${literal(run)}, ${literal(JSON.stringify(catalogue))}, 0, 0)`)
  return { run, catalogue, step: 0, page: 0 }
}

export const completeStep = (step: number): string => `update ${TABLE} set step = ${step + 1}, page = 0`

export const completePage = (page: number): string => `update ${TABLE} set page = ${page}`

export const DROP_STATE = `drop table ${TABLE}`

/** Waits for the connection of a run that was killed, which the server closes after a second. */
export async function lockOut(session: Session): Promise<void> {
  for (let attempts = 0; attempts < 30; attempts++) {
    const { rows } = await session.query(
      `select pg_try_advisory_lock(hashtext('typed-id migrate')) as locked`,
    )
    if (rows[0]?.locked) return
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  throw new MigrationError('another typed-id migrate is running on this database')
}

/** From this number of rows in one table, the strategy online is chosen. */
export const ONLINE_FROM = 100_000

export const chooseStrategy = (rows: number): Strategy => (rows >= ONLINE_FROM ? 'online' : 'transaction')

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
