import { createHash } from 'node:crypto'
import { type Compilable, type Kysely, sql } from 'kysely'
import type { Db, Statement } from './database.ts'
import { andThen, type MaybePromise } from './maybe-promise.ts'

type Scalar = string | number | null

/** Values by name. A value of undefined is absent: see `queriesOn`. */
type Values = Readonly<Record<string, Scalar | undefined>>

/**
 * Returns a function that defines queries. Kysely builds, types and compiles each query once. From then on, the query
 * runs as a prepared statement. Building and compiling it at every call would take several times as long as its
 * execution by SQLite.
 *
 * `build` receives placeholders in place of values, so it must not inspect them. Name each parameter after its column,
 * because the SQLite engine finds a violated foreign key by these names.
 *
 * A parameter may be optional. For each combination of absent parameters that occurs, `build` runs once more with these
 * parameters undefined. Kysely leaves out fields that are undefined in `eb.and({ … })` and in `set({ … })`; for other
 * clauses use `$if`. Anywhere else, an undefined parameter throws.
 *
 * `key` names the only parameter of a read by key, and the column of the rows that contains it. PostgreSQL then reads
 * the rows of concurrent requests with one statement, in which `= any(…)` replaces the parameter. The order of the rows
 * is undefined.
 *
 * @example
 * const query = queriesOn<Tables>()
 * const findTeam = query((db, p: { id: TeamId }) => db.selectFrom('teams').selectAll().where('id', '=', p.id))
 * const [team] = await findTeam(db, { id })
 *
 * const listUsers = query((db, p: { team_id?: TeamId | undefined }) =>
 *   db.selectFrom('users').selectAll().where((eb) => eb.and({ team_id: p.team_id })))
 */
export function queriesOn<Tables>() {
  const all: DefinedQuery[] = []

  function query<Params extends Values, Row>(
    build: (db: Kysely<Tables>, params: Params) => Compilable<Row>,
    { key: keyColumn }: { key?: keyof Params & keyof Row & string } = {},
  ): (db: Db, ...params: string extends keyof Params ? [] : [Params]) => MaybePromise<Row[]> {
    const compiled = new WeakMap<Kysely<Tables>, Map<string, Compiled>>()

    const variant = (compiler: Kysely<Tables>, absent: readonly string[]): Compiled => {
      const variants = compiled.get(compiler) ?? new Map<string, Compiled>()
      compiled.set(compiler, variants)
      const key = absent.join()
      const found =
        variants.get(key) ??
        withKey(compiler, compile(build(compiler, placeholders(absent) as Params), absent))
      variants.set(key, found)
      return found
    }

    const withKey = (compiler: Kysely<Tables>, { statement, slots }: Compiled): Compiled => {
      if (keyColumn === undefined) return { statement, slots }
      let many: Statement | undefined
      const byKey = {
        key: keyColumn,
        many() {
          many ??= compile(build(compiler, lists as Params), []).statement
          return many
        },
      }
      return { statement: { ...statement, byKey }, slots }
    }

    all.push({
      statements(compiler) {
        const { statement } = variant(compiler, [])
        // An INSERT has no optional parameters.
        if (statement.sql.startsWith('insert')) return [statement]
        const names = [...new Set(statement.parameters)].filter((name) => name !== undefined)
        return subsetsOf(names).flatMap((absent) => {
          try {
            return variant(compiler, absent).statement
          } catch (error) {
            if (error instanceof AbsentParameterError) return []
            throw error
          }
        })
      },
    })

    // The usual call, in which no parameter is absent, takes one map lookup.
    const complete = new WeakMap<Kysely<Tables>, Compiled>()
    return (db, ...[params]) => {
      let query = complete.get(db.compiler)
      if (query === undefined) {
        query = variant(db.compiler, [])
        complete.set(db.compiler, query)
      }
      let values = bind(query, params)
      if (values.includes(undefined)) {
        query = variant(db.compiler, absentIn(query, values))
        values = bind(query, params)
      }
      // Engines return rows with the columns of the statement, for which Kysely has inferred `Row`.
      return db.execute(query.statement, values) as MaybePromise<Row[]>
    }
  }

  /** Every defined query, so that tests can check the query plans. */
  return Object.assign(query, { all: all as readonly DefinedQuery[] })
}

interface DefinedQuery {
  /** Returns the statement for each combination of optional parameters. */
  // biome-ignore lint/suspicious/noExplicitAny: the compiler of a Db.
  statements(compiler: Kysely<any>): Statement[]
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

/** A query needs a parameter that is absent. */
class AbsentParameterError extends Error {}

/** Stands for the parameters of a query. Kysely takes a Placeholder for a value, and puts it in the value's slot. */
const placeholders = (absent: readonly string[]) =>
  new Proxy(
    {},
    { get: (_, name) => (absent.includes(String(name)) ? undefined : new Placeholder(String(name))) },
  )

/** Placeholders for lists of values: `"id" = $1` becomes `"id" = any($1)`. */
const lists = new Proxy({}, { get: (_, name) => sql`any(${new Placeholder(String(name))})` })

function compile(query: Compilable<unknown>, absent: readonly string[]): Compiled {
  const { sql, parameters: slots } = query.compile()
  if (slots.includes(undefined))
    throw new AbsentParameterError(`a query needs a parameter that is absent (${absent.join()}): ${sql}`)
  const parameters = slots.map((slot) => (slot instanceof Placeholder ? slot.name : undefined))
  return { statement: { sql, name: nameOf(sql), parameters }, slots }
}

const bind = ({ slots }: Compiled, params: Values | undefined): unknown[] =>
  slots.map((slot) => (slot instanceof Placeholder ? params?.[slot.name] : slot))

const absentIn = ({ statement: { parameters = [] } }: Compiled, values: readonly unknown[]): string[] =>
  parameters.filter((name, n): name is string => name !== undefined && values[n] === undefined)

const subsetsOf = (names: readonly string[]): string[][] =>
  Array.from({ length: 2 ** names.length }, (_, bits) => names.filter((_, n) => (bits >> n) % 2 === 1))

/**
 * Returns the name under which a statement is prepared. Processes can share a connection to the server through a pooler
 * such as PgBouncer. Equal names must therefore mean equal SQL in every process and in every version of the service. A
 * counter would let one process run a statement that another one has prepared.
 */
export const nameOf = (sql: string): string =>
  `q${createHash('sha256').update(sql).digest('hex').slice(0, 16)}`

/** Returns a row that the same transaction has written. Throws if the row is missing, which is a defect. */
export const readBack = <Id extends string, Row>(
  find: (db: Db, id: Id) => MaybePromise<Row | undefined>,
  db: Db,
  id: Id,
): MaybePromise<Row> =>
  andThen(find(db, id), (row) => {
    if (row === undefined) throw new Error(`${id} is missing after it was written`)
    return row
  })
