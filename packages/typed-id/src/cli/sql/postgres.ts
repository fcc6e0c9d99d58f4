import type { IdType } from '../../core/types.ts'
import { createDomain, domainOf } from './postgres-domain.ts'
import { CONVERSIONS, GENERATE, TIMES } from './postgres-functions.ts'

/** The functions and their parameters, in the order of the file. */
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

/** Returns the SQL file for the types. It can be run any number of times. */
export const createSql = (types: readonly IdType<string>[]): string => `${describeCommand(types)}
-- For PostgreSQL 13 and later, without extensions. To run it in one transaction: psql -1 -v ON_ERROR_STOP=1 -f FILE
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

/** Returns the statement that removes everything that `createSql` creates. */
export const dropSql = (types: readonly IdType<string>[]): string => `${describeCommand(types, ' --drop')}
-- Fails and drops nothing while a column, an index or a default uses one of these objects.

do $$ begin
${FUNCTIONS.map((signature) => `  drop function if exists ${signature};`).join('\n')}
${types.map((type) => `  drop domain if exists ${domainOf(type)};`).join('\n')}
end $$;
`

/** Returns the first line of the file, a comment with the command that prints the file. */
function describeCommand(types: readonly IdType<string>[], drop = ''): string {
  return `-- Printed by: typed-id sql postgres --types ${types.map(({ prefix }) => prefix).join(',')}${drop}`
}
