import type { Context } from '../context.ts'
import { MigrationError } from '../error.ts'
import type { Step } from '../step.ts'
import type { Session } from './connect.ts'
import { describeFailure } from './failure.ts'
import type { Plan } from './plan.ts'
import { runBackfill } from './run-backfill.ts'
import { completeStep, DROP_STATE, type State } from './state.ts'
import { inTransaction, lockTables } from './transaction.ts'

/** Runs the steps of the strategy online, from the one at which an earlier run was interrupted. */
export async function applyOnline(
  session: Session,
  plan: Plan,
  state: State,
  context: Context,
): Promise<void> {
  const { steps } = plan
  if (state.step > 0) await context.print(`resuming at step ${state.step + 1} of ${steps.length}`)
  for (let index = state.step; index < steps.length; index++) {
    const step = steps[index] as Step
    const name = `step ${index + 1} of ${steps.length}`
    const started = performance.now()
    let result: string
    try {
      result = await RUNNERS[step.run](
        session,
        step,
        index,
        { ...state, page: index === state.step ? state.page : 0 },
        plan,
      )
    } catch (error) {
      throw describeFailure(
        error as Error,
        context,
        `stopped at ${name}, run the same command again to resume`,
      )
    }
    const duration = `${Math.round(performance.now() - started)} ms`
    await context.print(`${name}: ${step.title} (${[duration, result].filter(Boolean).join(', ')})`)
  }
  await session.query(DROP_STATE).catch((error) => {
    throw describeFailure(
      error,
      context,
      'all steps are complete, run the same command again to remove the state',
    )
  })
}

type Runner = (session: Session, step: Step, index: number, state: State, plan: Plan) => Promise<string>

/** Each runs a step, records that it is complete, and returns what to report besides the duration. */
const RUNNERS: Record<Step['run'], Runner> = {
  transaction: (session, { tables, statements }, index) =>
    inTransaction(session, tables.join(', '), async () => {
      for (const statement of lockTables(tables)) await session.query(statement)
      const locked = performance.now()
      for (const statement of statements) await session.query(statement)
      await session.query(completeStep(index))
      return `locked for ${Math.round(performance.now() - locked)} ms`
    }),

  async separate(session, { statements }, index) {
    for (const statement of statements) await session.query(statement)
    await session.query(completeStep(index))
    return ''
  },

  async compare(session, { tables, statements }, index) {
    const { rows } = await session.query(statements[0] as string)
    const { rows: count, wrong, before, after } = rows[0] ?? {}
    if (wrong !== '0' || before !== after)
      throw new MigrationError(`${wrong} of ${count} rows of ${tables} differ in their new columns`)
    await session.query(completeStep(index))
    return `${count} rows, checksum ${after} in both`
  },

  backfill: runBackfill,
}
