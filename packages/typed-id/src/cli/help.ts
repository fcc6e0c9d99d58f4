export const HELP = `Generate, read, convert, check and find typed ids.

  typed-id new <prefix> [-n COUNT] [--short] [--v4]
  typed-id inspect [ID|FILE…] [--json] [--type TYPE] [--from FORM]
  typed-id convert [ID|FILE…] --to FORM [--type TYPE] [--from FORM]
  typed-id check [ID|FILE…] [--type TYPE] [--from FORM]
  typed-id scan [FILE] [--json] [--type TYPE]
  typed-id sql postgres --types TYPE,… [--drop]

inspect, convert and check read ids from the command line, from files, or from standard input with one id per line.
The argument - stands for standard input. Blank lines are ignored. Input is UTF-8, or UTF-16 with a byte order mark.
A TypeID whose prefix has _, such as order_line, has the short form only.
sql prints functions and column types for PostgreSQL.

scan counts the ids in any text, such as a log, JSON or a SQL dump, and reports texts that look like an id but are none:
in upper case, with I, L or O instead of 1 or 0, with dashes, %2D or %5F instead of hyphens and _. An id is a whole word: no letter,
digit, - or _ is next to it.

  -n, --count COUNT  number of ids to generate (default: 1)
      --short        generate ids in the short form
      --v4           generate version 4 ids: random, without a creation time
      --to FORM      output form: standard, short, uuid or base62
      --from FORM    input form (default: standard or short, detected per id)
      --type TYPE    accept only ids of this type; required with --from uuid
      --types TYPES  the types of the database, separated by commas: user,team
      --drop         print the statements that remove the functions and types
      --json         write one JSON object per line (default if the output is not a terminal)
  -h, --help         show this help
  -V, --version      show the version

Invalid lines are reported on standard error and left out of the output.
Exit code: 0 all ids are valid, 1 an id is invalid, 2 the command line is invalid, or a file or the output
cannot be read or written.

Examples
  typed-id new user
  typed-id new user -n 1000000 --short > ids.txt
  typed-id inspect user_01j0b3v1mmeedtx9cpdgkfhbch
  typed-id convert --to standard < ids.txt
  typed-id convert --from uuid --type user --to short < uuids.txt
  typed-id sql postgres --types user,team | psql -1
  psql -Atc 'select id from users' | typed-id check --type user
  typed-id check ids.txt
  typed-id scan --type user app.log
`
