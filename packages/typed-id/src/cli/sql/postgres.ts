import { postgresConditions } from '../../column-check.ts'
import type { AnyIdType } from '../../core/any-id.ts'
import { idRegistry } from '../../registry.ts'
import { defineType } from '../forms.ts'
import { UsageError } from '../terminal.ts'
import { CONVERSIONS, GENERATE, TIMES } from './postgres-functions.ts'

interface Options {
  readonly types?: string | undefined
  readonly union?: string | undefined
  readonly typeid?: boolean | undefined
  readonly drop?: boolean | undefined
}

export function sqlFor({ types: list, union, typeid, drop }: Options): string {
  if (!list)
    throw new UsageError(
      'sql expects --types with prefixes, such as --types user,team',
    )
  const { types } = idRegistry(
    list.split(',').map((prefix) => defineType(prefix, {}, typeid)),
  )
  const domains = types.map((type) => ({ name: domainOf(type), types: [type] }))
  if (union !== undefined) {
    const name = quoteName(
      union,
      `--union expects 1 to 63 letters, digits and underscores, received ${JSON.stringify(union)}`,
    )
    if (domains.some((domain) => domain.name === name))
      throw new UsageError(`--union expects another name than ${name}`)
    domains.push({ name, types: [...types] })
  }
  const options = `${union === undefined ? '' : ` --union ${union}`}${typeid ? ' --typeid' : ''}${drop ? ' --drop' : ''}`
  const text = (drop ? dropSql : createSql)(domains)
  return `-- Printed by: typed-id sql postgres --types ${list}${options}\n${text}`
}

interface Domain {
  readonly name: string
  readonly types: readonly AnyIdType[]
}

const FUNCTION_SIGNATURES = [
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
  domains: readonly Domain[],
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

${domains.map(createDomain).join('\n')}
${GENERATE}
${CONVERSIONS}
${TIMES}`

const dropSql = (
  domains: readonly Domain[],
): string => `-- Fails and drops nothing while a column, an index or a default uses one of these objects.

do $$ begin
${FUNCTION_SIGNATURES.map((signature) => `  drop function if exists ${signature};`).join('\n')}
${domains.map(({ name }) => `  drop domain if exists ${name};`).join('\n')}
end $$;
`

const domainOf = ({ prefix }: AnyIdType): string =>
  quoteName(
    `${prefix}_id`,
    `a prefix for PostgreSQL has at most 60 characters, received "${prefix}"`,
  )

/** Throws for a name of more than 63 bytes, which PostgreSQL would truncate. */
function quoteName(name: string, message: string): string {
  if (!/^\w{1,63}$/.test(name)) throw new UsageError(message)
  return /^[a-z]/.test(name) && name === name.toLowerCase() ? name : `"${name}"`
}

function createDomain({ name, types }: Domain): string {
  const all = types.map(postgresConditions)
  const check = all
    .map((conditions) => `value ${conditions.join('\n    and value ')}`)
    .join('\n    or ')
  const literals = all.map(([first]) => first.replace(/^[^']+/, ''))
  return `-- Ids such as ${types.map(({ example }) => example).join(' and ')}
do $$ begin
  create domain ${name} as text collate "C" check (
    ${check}
  );
exception when duplicate_object then
  if not exists (
    select from pg_constraint, pg_get_constraintdef(oid) as definition
    where contypid = '${name}'::regtype
    and length(definition) - length(replace(definition, ' ~ ', '')) = ${3 * types.length}
    ${literals.map((literal) => `and strpos(definition, ${literal}) > 0`).join('\n    ')}
  ) then
    raise exception 'the type % exists, but is not the domain of the ids of the type "%"', '${name}', '${types.map(({ prefix }) => prefix).join(', ')}'
      using errcode = 'duplicate_object', hint = 'Rename or remove it.';
  end if;
end $$;
`
}
