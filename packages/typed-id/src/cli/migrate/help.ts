export const HELP = `Turn bare uuids and integer keys in a database into typed ids.

  typed-id migrate plan --database URL --type TABLE.COLUMN=TYPE… [--dry-run | --apply]

Prints SQL for the named columns and for all columns that are connected with them by foreign keys. Reads the whole
tables, and changes nothing without --apply.

      --database URL     postgres://… (needs the package pg in the current project) or sqlite:<path>
      --type COLUMNS=T   users.id=user; for columns without a foreign key, users.id,logs.user_id=user
      --strategy NAME    PostgreSQL: transaction (tables are locked while they are rewritten) or online (a second
                         column, a backfill in batches and a switch); default: online from 100,000 rows in a table
      --batch ROWS       rows in one transaction of the backfill (default: 2000)
      --dry-run          run all statements and roll back; SQLite: on a copy
      --apply            run the plan; after an interruption, the same command resumes
      --down TYPE        the way back: ids become bare uuids in columns of the type uuid or text, or integers in columns
                         of the type smallint, integer or bigint; SQLite: text or integer

Columns must contain uuids in lowercase, as uuid or text, or integers from 0 to 2^62 - 1. The integer n becomes the
UUID of version 8 (RFC 9562) with n in its last 62 bits: 1 in users.id becomes
user-00000000-0000-8000-8000-000000000001. These ids still show the integer, keep the order of the integers, and come
before every id of version 7. Both directions are plain SQL, need no other column, and cannot collide. Only ids of
integers can become integers again. PostgreSQL: a default of a sequence gets the conversion around it, and an identity
column becomes such a default. SQLite: tables with integers are built again; INSERT must then name the key.
The strategy online moves the columns to the end of their tables: name the columns in every INSERT before.
Exit code: 0 done, 1 nothing was changed or the run can be resumed, 2 the command line is invalid, 130 after Ctrl-C.
`
