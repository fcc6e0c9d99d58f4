import { CompiledQuery, type Kysely, sql } from 'kysely'
import type { Engine } from 'testkit/engine-names.ts'

/** Has one row per migration, and the health check reads all of them. */
const SMALL_TABLES = /\bfrom "?kysely_migration\b/

const checked = new Set<string>()

/**
 * Throws when a statement reads rows that it does not need, so its time grows with the table: when the plan reads or
 * sorts a whole table, or on PostgreSQL walks a range and drops rows that a condition rejects. The message contains statement and
 * plan. Each statement is explained once per engine.
 */
export async function assertIndexed(
  // biome-ignore lint/suspicious/noExplicitAny: explains statements of any tables.
  db: Kysely<any>,
  engine: Engine,
  statements: Iterable<string>,
): Promise<void> {
  for (const statement of statements) {
    const key = `${engine} ${statement}`
    if (checked.has(key) || SMALL_TABLES.test(statement)) continue
    // An index returns its rows in order today, and in another one when the planner chooses another plan.
    if (/ limit /.test(statement) && !/ order by /.test(statement))
      throw new Error(`a statement has a limit and no order, so pages can skip rows: ${statement}`)
    const plan = await (engine === 'postgres' ? explainPostgres : explainSqlite)(db, statement)
    const problem = (engine === 'postgres' ? postgresProblem : sqliteProblem)(plan)
    if (problem !== undefined)
      throw new Error(
        [
          `a statement ${problem}: add an index for it in a migration`,
          `engine:    ${engine}`,
          `statement: ${statement}`,
          'plan:',
          ...plan.map((step) => `  ${step}`),
        ].join('\n'),
      )
    checked.add(key)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
async function explainSqlite(db: Kysely<any>, statement: string): Promise<string[]> {
  const parameters = [...statement.matchAll(/\?/g)].map(() => null)
  const { rows } = await db.executeQuery(CompiledQuery.raw(`explain query plan ${statement}`, parameters))
  return (rows as { detail: string }[]).map(({ detail }) => detail)
}

function sqliteProblem(plan: readonly string[]): string | undefined {
  // The rows of a subquery, whose own steps are in the plan, are all needed.
  const scan = plan.find(
    (step) => step.startsWith('SCAN') && !plan.includes(step.replace('SCAN', 'CO-ROUTINE')),
  )
  if (scan !== undefined) return `reads a whole table (${scan})`
  // LAST TERM: the rows are in order already, up to the few that share all other terms.
  const sort = plan.find((step) => /TEMP B-TREE FOR (?!LAST TERM)/.test(step))
  if (sort !== undefined) return `sorts all of its rows (${sort})`
  return undefined
}

// biome-ignore lint/suspicious/noExplicitAny: see above.
async function explainPostgres(db: Kysely<any>, statement: string): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const run = async (statement: string) => (await sql.raw(statement).execute(tx)).rows
    // The server would read a table of three rows whole, whatever indexes it has. A generic plan is one for any values.
    await run('set local enable_seqscan = off')
    await run('set local enable_sort = off')
    await run('set local plan_cache_mode = force_generic_plan')
    await run(`prepare explained as ${statement}`)
    const parameters = new Set(statement.match(/\$\d+/g)).size
    const values = Array.from({ length: parameters }, () => 'null').join()
    const rows = await run(`explain execute explained${values && `(${values})`}`)
    await run('deallocate explained')
    return (rows as { 'QUERY PLAN': string }[]).map((row) => row['QUERY PLAN'])
  })
}

const POSTGRES_PROBLEMS: [step: RegExp, problem: string][] = [
  [/Seq Scan/, 'reads a whole table'],
  [/(?<!Incremental )Sort {2}\(/, 'sorts all of its rows'],
  [/^\s*(?:Join )?Filter: /, 'reads rows and drops those that a condition rejects'],
]

function postgresProblem(plan: readonly string[]): string | undefined {
  for (const [pattern, problem] of POSTGRES_PROBLEMS) {
    const step = plan.find((step) => pattern.test(step))
    if (step !== undefined) return `${problem} (${step.trim()})`
  }
  return undefined
}
