import type { IdType } from '../../core/types.ts'
import { type Dialect, describeCommand } from './dialect.ts'
import { printFunctions, toBase32 } from './mysql-functions.ts'

const FUNCTIONS = [
  'typed_id_generate',
  'typed_id_to_short',
  'typed_id_from_short',
  'typed_id_to_uuid',
  'typed_id_from_uuid',
  'typed_id_time',
  'typed_id_first_at',
  'typed_id_last_at',
]

export const mysql: Dialect = {
  create: (types) => `${describeCommand('mysql', types)}
-- For MariaDB 10.10 and later. Tested on MariaDB only, but everything in it is in the manual of MySQL 8.0, too.
-- DELIMITER is a command of the clients mariadb and mysql. A server with a binary log and without
-- log_bin_trust_function_creators accepts functions from administrators only.
--
-- Times are DATETIME in UTC. The ids that one statement generates are in no particular order. Generated columns and
-- defaults cannot call stored functions: the tables below show the columns of each type, to be copied into your tables.

set @typed_id_sql_mode = @@sql_mode, sql_mode = 'STRICT_TRANS_TABLES'; -- The functions run in this mode, too.
delimiter //
${FUNCTIONS.map((name) => `drop function if exists ${name} //`).join('\n')}

${printFunctions()}delimiter ;

${types.map(createTable).join('\n')}
set sql_mode = @typed_id_sql_mode;
`,

  drop: (types) => `${describeCommand('mysql', types, ' --drop')}

${FUNCTIONS.map((name) => `drop function if exists ${name};`).join('\n')}
${types.map((type) => `drop table if exists ${tableOf(type)};`).join('\n')}
`,
}

const tableOf = ({ prefix }: IdType<string>) => `\`typed_id_example_${prefix}\``

function createTable(type: IdType<string>): string {
  const { prefix, pattern, example } = type
  return `create table if not exists ${tableOf(type)} (
  -- The standard form: ${example}
  -- A match may end before a line break, but then the length is not ${example.length}.
  id varchar(${example.length}) character set ascii collate ascii_bin primary key
    check (id regexp '${pattern}' and char_length(id) = ${example.length}),
  -- The short form: ${type.toShort(type.example)}
  short_id varchar(${prefix.length + 27}) character set ascii collate ascii_bin generated always as (
    concat('${prefix}_', ${toBase32("replace(right(id, 36), '-', '')")})
  ) virtual
);
`
}
