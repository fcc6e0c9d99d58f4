import type { Context } from '../context.ts'
import { MigrationError } from '../error.ts'
import { readFigures } from './check.ts'
import type { Session } from './connect.ts'
import { describeFailure, isLost } from './failure.ts'
import type { Plan } from './plan.ts'
import { inTransaction, lockTables } from './transaction.ts'

/** Thrown to roll back a dry run that was successful. */
class DryRun extends Error {}

/** Runs the plan of the strategy transaction. A failure, a kill and a dry run change nothing. */
export async function applyTransaction(
  session: Session,
  { args, catalogue, steps: [step] }: Plan,
  context: Context,
): Promise<void> {
  if (step === undefined) throw new TypeError('the plan has no step')
  const { tables, statements } = step
  const lines: string[] = []
  let isCommitting = false
  try {
    await inTransaction(session, tables.join(', '), async () => {
      lines.length = 0
      isCommitting = false
      for (const statement of lockTables(tables)) await session.query(statement)
      const locked = performance.now()
      const before = []
      for (const table of catalogue.tables)
        before.push(await readFigures(session, table, args.target, 'before'))
      for (const statement of statements) await session.query(statement)
      for (const [i, table] of catalogue.tables.entries()) {
        const after = await readFigures(session, table, args.target, 'after')
        if (JSON.stringify(after) !== JSON.stringify(before[i]))
          throw new MigrationError(`${table.name} has other rows after the migration: nothing was changed`)
        lines.push(`${table.name}: ${after.rows} rows, checksum ${after.checksum}, the same before and after`)
      }
      lines.push(`tables locked for ${Math.round(performance.now() - locked)} ms`)
      if (args.mode === 'dry-run') throw new DryRun()
      isCommitting = true
    })
  } catch (error) {
    if (isCommitting && isLost(error as Error))
      throw describeFailure(error as Error, context, 'the commit may have succeeded, print the plan to see')
    if (!(error instanceof DryRun)) throw error
    lines.push('dry run: rolled back, nothing was changed')
  }
  await context.print(lines.join('\n'))
}
