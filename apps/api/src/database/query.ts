import { createHash } from 'node:crypto'
import type { Compilable, Kysely } from 'kysely'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Db, Statement } from './database.ts'

type Scalar = string | number | null

/**
 * Returns a function that defines queries. Kysely builds, types and compiles each query once; from then on the query
 * runs as a prepared statement. Building and compiling at every call takes several times as long as SQLite needs to
 * execute it.
 *
 * `build` receives placeholders in place of values, so it must not inspect them. Name each parameter after its column:
 * that is how the SQLite engine finds out which foreign key a statement violates.
 *
 * @example
 * const query = queriesOn<Tables>()
 * const findTeam = query((db, p: { id: TeamId }) => db.selectFrom('teams').selectAll().where('id', '=', p.id))
 * const [team] = await findTeam(db, { id })
 */
export const queriesOn =
  <Tables>() =>
  <Params extends Record<string, Scalar>, Row>(
    build: (db: Kysely<Tables>, params: Params) => Compilable<Row>,
  ) => {
    const compiled = new WeakMap<Kysely<Tables>, Compiled>()

    return (db: Db, ...[params]: keyof Params extends never ? [] : [Params]): MaybePromise<Row[]> => {
      let query = compiled.get(db.compiler)
      if (query === undefined) {
        query = compile(build(db.compiler, placeholders as Params))
        compiled.set(db.compiler, query)
      }
      const values = query.slots.map((slot) => (slot instanceof Placeholder ? params?.[slot.name] : slot))
      // The engines return rows as Kysely typed them: the columns of the statement, unconverted.
      return db.execute(query.statement, values) as MaybePromise<Row[]>
    }
  }

interface Compiled {
  readonly statement: Statement
  readonly slots: readonly unknown[]
}

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Stands for the parameters of any query: Kysely carries each Placeholder, which it takes for the value, to its slot. */
const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

function compile(query: Compilable<unknown>): Compiled {
  const { sql, parameters: slots } = query.compile()
  const parameters = slots.map((slot) => (slot instanceof Placeholder ? slot.name : undefined))
  return { statement: { sql, name: nameOf(sql), parameters }, slots }
}

/**
 * Returns the name under which a statement is prepared. Processes can share a connection to the server through a pooler
 * such as PgBouncer. Equal names must therefore mean equal SQL in every process and in every version of the service. A
 * counter would let one process run a statement that another one has prepared.
 */
export const nameOf = (sql: string): string =>
  `q${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`
