import { type Arguments, describeArguments } from '../arguments.ts'
import type { Context } from '../context.ts'
import { MigrationError } from '../error.ts'
import { applyOnline } from './apply-online.ts'
import { applyTransaction } from './apply-transaction.ts'
import { assertConvertible, type Figures, readFigures } from './check.ts'
import { connect, type Session } from './connect.ts'
import { describeFailure } from './failure.ts'
import type { Plan } from './plan.ts'
import { planOnline } from './plan-online.ts'
import { planTransaction } from './plan-transaction.ts'
import { printPlan } from './print.ts'
import { readCatalogue } from './read-catalogue.ts'
import { chooseStrategy, createState, lockOut, readState, type State } from './state.ts'

/** Prints, tries or applies the migration of a PostgreSQL database. */
export async function migratePostgres(args: Arguments, context: Context): Promise<void> {
  const session = await connect(args.database).catch((error) => {
    if (error instanceof MigrationError) throw error
    throw new MigrationError(`cannot connect to PostgreSQL: ${error.message || error.code}`)
  })
  const end = () => void session.end()
  context.signal.addEventListener('abort', end)
  try {
    if (context.signal.aborted) end()
    await run(session, args, context)
  } catch (error) {
    throw error instanceof MigrationError
      ? error
      : describeFailure(error as Error, context, 'nothing was changed')
  } finally {
    context.signal.removeEventListener('abort', end)
    await session.end().catch(() => {})
  }
}

async function run(session: Session, args: Arguments, context: Context): Promise<void> {
  const id = `${describeArguments(args)} by typed-id ${context.version}`
  if (args.mode === 'print') await session.query('set default_transaction_read_only = on')
  else await lockOut(session)
  const state = await readState(session, id)
  const plan = await makePlan(session, args, state)
  if (args.mode === 'print') return context.print(printPlan(plan))
  if (plan.strategy === 'transaction') return applyTransaction(session, plan, context)
  if (args.mode === 'dry-run')
    throw new MigrationError(
      'the strategy online commits each step: run --apply on a copy instead (pg_dump -Fc, createdb, pg_restore)',
    )
  await applyOnline(session, plan, state ?? (await createState(session, id, plan.catalogue)), context)
}

async function makePlan(session: Session, args: Arguments, state: State | undefined): Promise<Plan> {
  const figures = new Map<string, Figures>()
  const catalogue = state?.catalogue ?? (await readCatalogue(session, args))
  if (!state) {
    await assertConvertible(session, catalogue, args.target)
    for (const table of catalogue.tables)
      figures.set(table.name, await readFigures(session, table, args.target, 'before'))
  }
  const rows = Math.max(...[...figures.values()].map((table) => table.rows))
  const strategy = state ? 'online' : (args.strategy ?? chooseStrategy(rows))
  const plan = strategy === 'online' ? planOnline : planTransaction
  return { args, catalogue, strategy, figures, state, steps: plan(catalogue, args.target) }
}
