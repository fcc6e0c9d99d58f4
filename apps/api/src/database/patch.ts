import type { Expression, ExpressionBuilder } from 'kysely'

/**
 * Returns the SET clause of a partial update: a column whose parameter is null keeps its value. One statement serves
 * every combination of fields, so it can be prepared once.
 *
 * @example
 * db.updateTable('users').set((eb) => setUnlessNull(eb, p, ['name', 'team_id']))
 * // set "name" = coalesce(?, "name"), "team_id" = coalesce(?, "team_id")
 */
export function setUnlessNull<DB, TB extends keyof DB, Column extends string>(
  eb: ExpressionBuilder<DB, TB>,
  params: Readonly<Record<Column, unknown>>,
  columns: readonly (Column & keyof DB[TB])[],
) {
  const assignments = columns.map((column) => [
    column,
    // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot infer that a column of the table is a reference to it.
    eb.fn.coalesce(eb.val(params[column]), eb.ref(column as any)),
  ])
  return Object.fromEntries(assignments) as { [C in Column & keyof DB[TB]]: Expression<DB[TB][C]> }
}
