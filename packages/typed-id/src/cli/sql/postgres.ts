import { postgresConditions } from '../../column-check.ts'
import type { AnyIdType } from '../../core/any-id.ts'
import { idRegistry } from '../../registry.ts'
import { defineType } from '../forms.ts'
import { UsageError } from '../terminal.ts'
import { CONVERSIONS, GENERATE, TIMES } from './postgres-functions.ts'

interface Options {
  readonly types?: string | undefined
  readonly typeid?: boolean | undefined
  readonly drop?: boolean | undefined
}

/** Returns the SQL statements that create, or with `drop` remove, the types. */
export function sqlFor(values: Options): string {
  if (!values.types)
    throw new UsageError(
      'sql expects --types with prefixes, such as --types user,team',
    )
  const { types } = idRegistry(
    values.types
      .split(',')
      .map((prefix) => defineType(prefix, {}, values.typeid)),
  )
  const options = `${values.typeid ? ' --typeid' : ''}${values.drop ? ' --drop' : ''}`
  const text = (values.drop ? dropSql : createSql)(types)
  return `-- Printed by: typed-id sql postgres --types ${values.types}${options}\n${text}`
}

/** The SQL functions and their parameters, in the order of the file. */
const FUNCTIONS = [
  'typed_id_generate(text)',
  'typed_id_to_short(text)',
  'typed_id_from_short(text)',
  'typed_id_to_uuid(text)',
  'typed_id_from_uuid(text, uuid)',
  'typed_id_time(text)',
  'typed_id_first_at(text, timestamptz)',
  'typed_id_last_at(text, timestamptz)',
]

const createSql = (
  types: readonly AnyIdType[],
): string => `-- For PostgreSQL 13 and later, without extensions. To run it in one transaction: psql -1 -v ON_ERROR_STOP=1 -f FILE
-- It can be run again. To remove everything: typed-id sql postgres --types … --drop
--
-- No function calls another function of this file, so they work in any schema and with any search_path that has
-- pg_catalog first, as it is unless search_path names it: in an index, in a restore by pg_restore and in a maintenance
-- command, which all run with another search_path. Where search_path names pg_catalog later, the functions and types of
-- the schemas before it are used instead, such as your own length(text). A type pg_temp.text and your own operator for
-- exactly the types of a call, such as bigint % integer, are used in any case. The functions have no SET clause, which
-- would save and restore the setting in every call.
--
-- The domains have the collation "C": ids are compared as bytes, which is fast and the same in every database. Use the
-- domain for references, too. PostgreSQL does not use an index of another collation to join them.

${types.map(createDomain).join('\n')}
${GENERATE}
${CONVERSIONS}
${TIMES}`

const dropSql = (
  types: readonly AnyIdType[],
): string => `-- Fails and drops nothing while a column, an index or a default uses one of these objects.

do $$ begin
${FUNCTIONS.map((signature) => `  drop function if exists ${signature};`).join('\n')}
${types.map((type) => `  drop domain if exists ${domainOf(type)};`).join('\n')}
end $$;
`

/**
 * Returns the name of a type's domain, quoted where PostgreSQL requires it:
 * `user_id`, `"orderLine_id"`.
 */
function domainOf({ prefix }: AnyIdType): string {
  const name = `${prefix}_id`
  // Throws for names of more than 63 bytes, which PostgreSQL would truncate.
  if (name.length > 63)
    throw new UsageError(
      `a prefix for PostgreSQL has at most 60 characters, received "${prefix}"`,
    )
  return /^[a-z]/.test(name) && name === name.toLowerCase() ? name : `"${name}"`
}

function createDomain(type: AnyIdType): string {
  const name = domainOf(type)
  const conditions = postgresConditions(type)
  return `-- Ids such as ${type.example}
do $$ begin
  create domain ${name} as text collate "C" check (
    value ${conditions.join('\n    and value ')}
  );
exception when duplicate_object then
  if not exists (
    select from pg_constraint
    where contypid = '${name}'::regtype
    and strpos(pg_get_constraintdef(oid), ${conditions[0].replace(/^[^']+/, '')}) > 0
  ) then
    raise exception 'the type % exists, but is not the domain of the ids of the type "%"', '${name}', '${type.prefix}'
      using errcode = 'duplicate_object', hint = 'Rename or remove it.';
  end if;
end $$;
`
}
