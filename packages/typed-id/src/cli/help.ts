export const HELP = `Generate, read, convert and check typed ids.

  typed-id new PREFIX     generate ids: [-n COUNT] [--short] [--v4] [--json]
  typed-id inspect ID…    show the type, the time and all forms of an id, also
                          of a bare UUID or an id in upper case: [--json]
  typed-id convert ID…    write ids in another form: --to FORM
  typed-id check ID…      report invalid ids
  typed-id sql postgres   print functions and column types: --types TYPE,…
                          [--union NAME] [--typeid] [--drop]
  typed-id help COMMAND   show the help of one command

Ids are arguments, or lines of --file or of standard input. Blank lines are
ignored.

  -n, --count COUNT  number of ids to generate (default: 1)
      --short        generate ids in the short form
      --v4           generate version 4 ids: random, without a creation time
      --to FORM      output form: standard, short, uuid or base62
      --from FORM    input form (default: standard or short)
      --file FILE    read ids from the lines of a file
      --type TYPE    accept only ids of this type; --from uuid requires it
      --types TYPES  the types of the database: user,team
      --union NAME   also a column type for the ids of all these types
      --typeid       the ids are TypeIDs, as with a prefix that contains _
      --drop         print the statements that remove the functions and types
      --json         one JSON object per line (default unless on a terminal)
  -h, --help         show this help
  -V, --version      show the version

Exit code: 0 all ids are valid, 1 an id is invalid, 2 anything else failed.

Examples
  typed-id new user -n 1000000 --short > ids.txt
  typed-id inspect user_01j0b3v1mmeedtx9cpdgkfhbch
  typed-id convert --from uuid --type user --to short < uuids.txt
  typed-id sql postgres --types user,team | psql -1
  psql -Atc 'select id from users' | typed-id check --type user
`

export function helpFor(command: string, options: readonly string[]): string {
  const [head = '', examples = ''] = HELP.split('\nExamples\n')
  const [usage] =
    new RegExp(`^  typed-id ${command} .*(\n {20,}.*)*`, 'm').exec(head) ?? []
  const lines = head.split('\n').filter((line) => {
    const [, option = ''] = /^ {2}(?:-\w, | {4})--(\w+)/.exec(line) ?? []
    return options.includes(option)
  })
  const uses = examples
    .split('\n')
    .filter((line) => line.includes(`typed-id ${command} `))
  return [usage, '', ...lines, '', ...uses, '']
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
}
