import { postgresConditions } from '../../column-check.ts'
import type { IdType } from '../../core/types.ts'
import { UsageError } from '../terminal.ts'

/** PostgreSQL truncates longer names. */
const MAX_NAME = 63

/** Returns the name of the domain, quoted where PostgreSQL requires it: `user_id`, `"orderLine_id"`. */
export function domainOf({ prefix }: IdType<string>): string {
  const name = `${prefix}_id`
  if (name.length > MAX_NAME)
    throw new UsageError(`a prefix for PostgreSQL has at most 60 characters, received "${prefix}"`)
  return /^[a-z]/.test(name) && name === name.toLowerCase() ? name : `"${name}"`
}

export function createDomain(type: IdType<string>): string {
  const name = domainOf(type)
  const conditions = postgresConditions(type)
  return `-- The standard form: ${type.example}
do $$ begin
  create domain ${name} as text collate "C" check (
    value ${conditions.join('\n    and value ')}
  );
exception when duplicate_object then
  if not exists (
    select from pg_constraint
    where contypid = '${name}'::regtype
    -- The pattern is in the domains that version 0.1 has printed. They accept the same strings.
    and (strpos(pg_get_constraintdef(oid), ${conditions[0].slice(5)}) > 0
      or strpos(pg_get_constraintdef(oid), '${type.pattern}') > 0)
  ) then
    raise exception 'the type % exists, but is not the domain of the ids of the type "%"', '${name}', '${type.prefix}'
      using errcode = 'duplicate_object', hint = 'Rename or remove it.';
  end if;
end $$;
`
}
