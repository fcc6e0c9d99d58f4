import type { Target } from '../arguments.ts'
import type { Step } from '../step.ts'
import type { Catalogue } from './catalogue.ts'
import { figuresQuery } from './check.ts'
import { giveUp } from './expand.ts'
import { conversionOf } from './expressions.ts'
import type { Plan } from './plan.ts'
import { ONLINE_FROM } from './state.ts'
import { lockTables } from './transaction.ts'
import { planWayBack } from './way-back.ts'

/** Returns the plan as SQL that psql runs, with comments. */
export function printPlan(plan: Plan): string {
  const { args, catalogue, strategy, steps, state } = plan
  const { target } = args
  return [
    '-- typed-id migrate plan for PostgreSQL. Nothing was changed: --apply runs these statements, and can be resumed.',
    ...(state ? [`-- A run was interrupted at step ${state.step + 1}: --apply continues there.`] : []),
    '',
    ...describeColumns(catalogue, target),
    '',
    `-- Strategy: ${strategy}. A table of ${ONLINE_FROM} rows or more needs online; --strategy overrides this.`,
    ...describeFigures(plan),
    ...steps.flatMap((step, i) => printStep(step, i, args.batch)),
    '',
    '-- After: these queries return the figures from above.',
    ...catalogue.tables.map((table) => `${figuresQuery(table, target, 'after')};`),
    ...(strategy === 'online'
      ? ['', '-- To give up before the switch:', ...giveUp(catalogue).map((statement) => `-- ${statement};`)]
      : []),
    ...describeWayBack(plan),
  ].join('\n')
}

function describeColumns({ tables }: Catalogue, target: Target): string[] {
  const lines = tables.flatMap(({ name: table, columns }) =>
    columns.map((column) => {
      const { type, result } = conversionOf(column, target)
      const reason = column.isNamed ? '' : ', follows by foreign keys'
      return `--   ${table}.${column.name}: ${column.type} becomes ${type} with ${result}${reason}`
    }),
  )
  return ['-- Columns:', ...lines]
}

function describeFigures({ figures }: Plan): string[] {
  const lines = [...figures].map(
    ([table, { rows, checksum }]) => `--   ${table}: ${rows} rows, checksum ${checksum}`,
  )
  return lines.length > 0 ? ['-- Before, with a checksum of all keys:', ...lines] : []
}

function printStep({ title, lock, run, tables, statements }: Step, index: number, batch: number): string[] {
  const header = ['', `-- ${index + 1}. ${title}`, `-- Locks: ${lock}.`]
  const lines = (all: readonly string[]) => all.map((statement) => `${statement};`)
  if (run === 'transaction')
    return [...header, ...lines(['begin', ...lockTables(tables), ...statements, 'commit'])]
  if (run !== 'backfill') return [...header, ...lines(statements)]
  const [update = '', rest = ''] = statements
  const range = update
    .replace('$1::tid', `format('(%s,0)', page)::tid`)
    .replace('$2::tid', `format('(%s,0)', page + step)::tid`)
  return [
    ...header,
    'do $$',
    `declare page bigint := 0; step int := ${Math.max(1, Math.round(batch / 100))};`,
    'begin',
    `while page < pg_relation_size('${tables}') / current_setting('block_size')::int loop`,
    `${range};`,
    'commit;',
    'page := page + step;',
    'end loop;',
    'end $$;',
    `${rest};`,
  ]
}

/** The commands that restore the columns, and the plan of the last one: it can be reviewed before the migration. */
function describeWayBack(plan: Plan): string[] {
  const { commands, steps } = planWayBack(plan)
  const lines = steps
    .flatMap((step, i) => printStep(step, i, plan.args.batch))
    .join('\n')
    .split('\n')
  return [
    ...commands.map((command) => `-- The way back, after the migration: ${command}`),
    ...lines.map((line) => `--   ${line}`.trimEnd()),
  ]
}
