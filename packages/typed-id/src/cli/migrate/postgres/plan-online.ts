import type { Target } from '../arguments.ts'
import type { Step } from '../step.ts'
import { assertCopyable } from './assert-copyable.ts'
import type { Catalogue, Table } from './catalogue.ts'
import { backfillTable, compareTable, expandTable } from './expand.ts'
import { createIndexes, isOwnCheck, proofsOf, switchTable } from './switch.ts'

/**
 * Plans the migration of tables that stay in use: a second column beside each one, which a trigger fills, a backfill in
 * batches, indexes that are built concurrently, and a switch that only changes the catalogue.
 *
 * Foreign keys hold all the time: until the switch on the columns as they were, after it on the new ones. The switch
 * adds them as NOT VALID, which enforces them for every write, and the last step checks the earlier rows.
 *
 * @throws MigrationError for an index or a column that this strategy cannot copy.
 */
export function planOnline({ tables, foreignKeys }: Catalogue, target: Target): Step[] {
  tables.forEach(assertCopyable)
  const brief = 'ACCESS EXCLUSIVE for milliseconds: only the catalogue changes'
  const shared = 'SHARE UPDATE EXCLUSIVE: readers and writers continue'
  const forEachTable = (create: (table: Table) => Omit<Step, 'tables'>): Step[] =>
    tables.map((table) => ({ ...create(table), tables: [table.name] }))
  return [
    ...forEachTable((table) => ({
      title: `Expand ${table.name}: add the new columns, and a trigger that fills them`,
      lock: brief,
      run: 'transaction',
      statements: expandTable(table, target),
    })),
    ...forEachTable((table) => ({
      title: `Backfill ${table.name} in batches`,
      lock: 'the rows of one batch until its commit; rows that another transaction has locked are left for the last statement',
      run: 'backfill',
      statements: backfillTable(table, target),
    })),
    ...forEachTable((table) => ({
      title: `Index and validate the new columns of ${table.name}`,
      lock: shared,
      run: 'separate',
      statements: [
        ...createIndexes(table),
        ...proofsOf(table, target).map((name) => `alter table ${table.name} validate constraint ${name}`),
        `analyze ${table.name}`,
      ],
    })),
    ...forEachTable((table) => ({
      title: `Compare the columns of ${table.name}: wrong must be 0, and both checksums equal`,
      lock: 'ACCESS SHARE: readers and writers continue',
      run: 'compare',
      statements: [compareTable(table, target)],
    })),
    {
      title: 'Switch: drop the columns as they were, rename the new ones, and move the constraints',
      lock: `${brief}. From here on, clients send and receive the new form, and the columns are the last ones of their tables`,
      run: 'transaction',
      tables: tables.map(({ name }) => name),
      statements: [
        ...foreignKeys.map(({ table, name }) => `alter table ${table} drop constraint ${name}`),
        ...tables.flatMap((table) => switchTable(table, target)),
        ...foreignKeys.map(
          ({ table, name, definition }) =>
            `alter table ${table} add constraint ${name} ${definition} not valid`,
        ),
      ],
    },
    {
      title: 'Validate the constraints for the rows from before the switch',
      lock: shared,
      run: 'separate',
      tables: tables.map(({ name }) => name),
      statements: [
        ...foreignKeys
          .filter(({ isValid }) => isValid)
          .map(({ table, name }) => `alter table ${table} validate constraint ${name}`),
        ...tables.flatMap((table) =>
          table.checks
            .filter(({ name, isValid }) => isValid && !isOwnCheck(table, name))
            .map(({ name }) => `alter table ${table.name} validate constraint ${name}`),
        ),
      ],
    },
  ]
}
