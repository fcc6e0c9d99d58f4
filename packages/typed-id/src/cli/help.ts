export const HELP = `Make, read, convert and check typed ids.

  typed-id new <prefix> [-n COUNT] [--short] [--v4]
  typed-id inspect [ID…] [--json] [--type TYPE] [--from FORM]
  typed-id convert [ID…] --to FORM [--type TYPE] [--from FORM]
  typed-id check [ID…] [--type TYPE] [--from FORM]

inspect, convert and check read ids from the command line or, one a line, from standard input.

  -n, --count COUNT  how many ids to make (1)
      --short        make them in the short form
      --v4           make them random throughout, without the time of creation
      --to FORM      standard, short, uuid or base62
      --from FORM    the form to read; without it standard and short are told apart
      --type TYPE    the one type to accept; bare uuids need it
      --json         one JSON object a line, as whenever the output is no terminal
  -h, --help         this text
  -V, --version      the version

Bad lines are named on standard error and left out.
Exit code: 0 all good, 1 a bad id, 2 a bad command.

Examples
  typed-id new user
  typed-id new user -n 1000000 --short > ids.txt
  typed-id inspect user_01j0b3v1mmeedtx9cpdgkfhbch
  typed-id convert --to standard < ids.txt
  typed-id convert --from uuid --type user --to short < uuids.txt
  psql -Atc 'select id from users' | typed-id check --type user
`
