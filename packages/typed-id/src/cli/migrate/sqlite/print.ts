import type { Target } from '../arguments.ts'
import type { Catalogue } from './catalogue.ts'
import { figuresQuery } from './expressions.ts'

/** Returns the plan as SQL that the sqlite3 shell runs, with comments. */
export function printPlan(
  { tables }: Catalogue,
  target: Target,
  statements: readonly string[],
  figures: readonly string[],
  args: string,
): string {
  return [
    '-- typed-id migrate plan for SQLite. Nothing was changed: --apply runs these statements.',
    '',
    '-- Columns:',
    ...tables.flatMap(({ name: table, columns }) =>
      columns.map(({ name, prefix, isNamed }) => {
        const value = target === 'id' ? `'${prefix}-<uuid>'` : 'the bare uuid'
        return `--   ${table}.${name} becomes ${value}${isNamed ? '' : ', follows by foreign keys'}`
      }),
    ),
    '-- Before, with a checksum of all uuids:',
    ...figures.map((line) => `--   ${line}`),
    '',
    '-- Locks: other writers wait from begin to commit. In WAL mode, readers continue with the rows as they were.',
    '-- After a kill, SQLite rolls the transaction back.',
    'pragma foreign_keys = off;',
    'begin immediate;',
    ...statements.map((statement) => `${statement};`),
    '-- This must return no row:',
    'select * from pragma_foreign_key_check;',
    'commit;',
    '',
    '-- After: these queries return the figures from above.',
    ...tables.map((table) => `${figuresQuery(table)};`),
    ...(target === 'id'
      ? ['', `-- The way back: typed-id migrate plan --database … ${args} --down text`]
      : []),
  ].join('\n')
}
