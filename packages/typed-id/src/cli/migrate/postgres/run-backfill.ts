import type { Step } from '../step.ts'
import type { Session } from './connect.ts'
import type { Plan } from './plan.ts'
import { completePage, completeStep, type State } from './state.ts'
import { inTransaction, LOCK_TIMEOUT } from './transaction.ts'

/**
 * Updates a table in batches of pages. The rows that other transactions have locked are skipped, so a batch neither waits
 * nor takes part in a deadlock. Rows that were inserted or updated since the trigger exists are complete.
 */
export async function runBackfill(
  session: Session,
  { tables, statements }: Step,
  index: number,
  { page: first }: State,
  { args, catalogue }: Plan,
): Promise<string> {
  const [table = ''] = tables
  const [batch = '', rest = ''] = statements
  const { pages, perPage } = await measure(session, table)
  const step = Math.max(1, Math.floor(args.batch / perPage))
  // The triggers of the application must not run for the backfill: they would change updated_at.
  const firesOnUpdate = catalogue.tables.find(({ name }) => name === table)?.firesOnUpdate
  const quiet = firesOnUpdate ? ['set local session_replication_role = replica'] : []
  let rows = 0
  for (let page = first; page < pages; page += step) {
    await inTransaction(session, table, async () => {
      for (const statement of quiet) await session.query(statement)
      rows += (await session.query(batch, [`(${page},0)`, `(${page + step},0)`])).rowCount
      await session.query(completePage(page + step))
    })
  }
  await inTransaction(session, table, async () => {
    for (const statement of [...quiet, `set local lock_timeout = '${LOCK_TIMEOUT}'`])
      await session.query(statement)
    rows += (await session.query(rest)).rowCount
    await session.query(completeStep(index))
  })
  return `${rows} rows`
}

/** The number of pages of a table and of rows in each. A table that was never analyzed is taken to have 100. */
async function measure(session: Session, table: string): Promise<{ pages: number; perPage: number }> {
  const { rows } = await session.query(
    `select pg_relation_size(oid) / current_setting('block_size')::int as pages,
      case when reltuples > 0 then reltuples / greatest(relpages, 1) else 100 end as "perPage"
    from pg_class where oid = $1::regclass`,
    [table],
  )
  return { pages: Number(rows[0]?.pages), perPage: Math.max(1, Number(rows[0]?.perPage)) }
}
