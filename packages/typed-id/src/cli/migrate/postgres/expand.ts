import type { Target } from '../arguments.ts'
import { UUID } from '../uuid-pattern.ts'
import type { Catalogue, Table } from './catalogue.ts'
import { checkName, checksum, conversionOf, derivedName, unqualified } from './expressions.ts'

/** Triggers of one event fire in the order of their names: after those of the application that may set the column. */
const TRIGGER = 'zzz_typed_id'

/** The statements that add the new columns. Their constraints hold for new rows only until they are validated. */
export function expandTable(table: Table, target: Target): string[] {
  const additions = table.columns.flatMap((column) => {
    const { name, notNull, isNamed, prefix } = column
    const derived = derivedName(name)
    return [
      `add column ${derived} ${conversionOf(column, target).type}`,
      ...(notNull
        ? [`add constraint ${proofName(table, name)} check (${derived} is not null) not valid`]
        : []),
      ...(target === 'id' && isNamed
        ? [
            `add constraint ${checkName(table.name, name)} check (${derived} ~ '^${prefix}-${UUID}$') not valid`,
          ]
        : []),
    ]
  })
  const assignments = table.columns.map(
    (column) =>
      `  new.${derivedName(column.name)} := ${conversionOf(column, target).convert(`new.${column.name}`)};`,
  )
  return [
    `alter table ${table.name}\n  ${additions.join(',\n  ')}`,
    `create function ${syncFunction(table)}() returns trigger language plpgsql as $$\nbegin\n${assignments.join('\n')}\n  return new;\nend $$`,
    `create trigger ${TRIGGER} before insert or update on ${table.name}\n  for each row execute function ${syncFunction(table)}()`,
    // Fires for the writes of logical replication, too.
    `alter table ${table.name} enable always trigger ${TRIGGER}`,
  ]
}

/** The constraint that proves that a new column has no NULL, so that SET NOT NULL need not read the table. */
export function proofName({ name }: Table, column: string): string {
  return derivedName(checkName(name, column), '_not_null')
}

/** The statements that stop the synchronization, for the switch. */
export function dropSync(table: Table): string[] {
  return [`drop trigger ${TRIGGER} on ${table.name}`, `drop function ${syncFunction(table)}()`]
}

/** The statements that remove what the steps before the switch have added. */
export function giveUp({ tables }: Catalogue): string[] {
  return [
    ...tables.flatMap((table) => [
      `drop trigger if exists ${TRIGGER} on ${table.name}`,
      `drop function if exists ${syncFunction(table)}()`,
      ...table.columns.map(
        ({ name }) => `alter table ${table.name} drop column if exists ${derivedName(name)}`,
      ),
    ]),
    'drop table if exists typed_id_migration',
  ]
}

function syncFunction({ name }: Table): string {
  const table = unqualified(name)
  return name.slice(0, name.length - table.length) + derivedName(table, '_typed_id_sync')
}

/** The update of the rows between two positions, and the update of the rows that are left. */
export function backfillTable({ name: table, columns }: Table, target: Target): string[] {
  const set = columns.map(
    (column) => `${derivedName(column.name)} = ${conversionOf(column, target).convert(column.name)}`,
  )
  const missing = columns.map(({ name }) => `${derivedName(name)} is null and ${name} is not null`)
  const update = `update ${table}\n  set ${set.join(', ')}`
  const condition = missing.join('\n    or ')
  return [
    `${update}\n  where ctid = any(array(select ctid from ${table} where ctid >= $1::tid and ctid < $2::tid\n    and (${condition}) for no key update skip locked))`,
    `${update}\n  where ${condition}`,
  ]
}

/** The query that compares the converted columns with those as they were, in one snapshot. */
export function compareTable({ name: table, columns }: Table, target: Target): string {
  const all = columns.map((column) => ({ name: column.name, ...conversionOf(column, target) }))
  const wrong = all.map(({ name, convert }) => `${derivedName(name)} is distinct from ${convert(name)}`)
  const before = all.map(({ name, keyBefore }) => checksum(keyBefore(name)))
  const after = all.map(({ name, keyAfter }) => checksum(keyAfter(derivedName(name))))
  return `select count(*) as rows, count(*) filter (where ${wrong.join(' or ')}) as wrong,
  ${before.join(' + ')} as before,
  ${after.join(' + ')} as after
from ${table}`
}
