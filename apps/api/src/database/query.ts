import type { Compilable, Kysely } from 'kysely'
import type { Db, Statement } from './database.ts'

type Scalar = string | number | null

/**
 * Makes queries that are built, typed and compiled by Kysely once, and from then on run as prepared statements:
 * building and compiling at every call costs several times what SQLite needs to answer.
 *
 * @example
 * const query = queriesOn<Tables>()
 * const findTeam = query((db, p: { id: TeamId }) => db.selectFrom('teams').selectAll().where('id', '=', p.id))
 * const [team] = await findTeam(db, { id })
 *
 * `build` sees placeholders, not values, so it must not look at them.
 */
export const queriesOn =
  <Tables>() =>
  <Params extends Record<string, Scalar>, Row>(
    build: (db: Kysely<Tables>, params: Params) => Compilable<Row>,
  ) => {
    const compiled = new WeakMap<Kysely<Tables>, Compiled>()

    return (db: Db, ...[params]: keyof Params extends never ? [] : [Params]): Promise<Row[]> => {
      let query = compiled.get(db.builder)
      if (query === undefined) {
        query = compile(build(db.builder, placeholders as Params))
        compiled.set(db.builder, query)
      }
      const values = query.slots.map((slot) => (slot instanceof Placeholder ? params?.[slot.name] : slot))
      return db.execute(query.statement, values) as Promise<Row[]>
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

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

let count = 0

function compile(built: Compilable<unknown>): Compiled {
  const { sql, parameters } = built.compile()
  count += 1
  return { statement: { sql, name: `q${count}` }, slots: parameters }
}
