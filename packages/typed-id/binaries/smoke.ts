/* Compares a binary of the command with the command on Node: the same output and exit codes for the same input. */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const ID = 'user_01j0b3v1mmeedtx9cpdgkfhbch'

/** Each command line, its standard input, and the exit code. */
const CASES: readonly (readonly [string, string, number])[] = [
  ['--version', '', 0],
  ['--help', '', 0],
  [`inspect ${ID} --json`, '', 0],
  ['convert --to uuid', `${ID}\r\n\n${ID}\n`, 0],
  ['convert --to standard', `${ID}\n`.repeat(100_000), 0],
  ['check --type team', `${ID}\nuser-1\n`, 1],
  ['scan --json', `GET /users/${ID} 200\nGET /users/USER_O1JOB3V1MMEEDTX9CPDGKFHBCH 404\n`, 1],
  ['convert', `${ID}\n`, 2],
  ['sql postgres --types user,team', '', 0],
  ['new', '', 2],
]

/** Returns a message for each case in which the binary differs from Node or from the stated exit code. */
export function smoke(binary: string): string[] {
  const failed = CASES.flatMap(([line, input, code]) => {
    const options = { input, encoding: 'utf8', maxBuffer: 1e8 } as const
    const expected = spawnSync(process.execPath, [CLI, ...line.split(' ')], options)
    const found = spawnSync(binary, line.split(' '), options)
    return found.stdout === expected.stdout &&
      found.stderr === expected.stderr &&
      found.status === code &&
      expected.status === code
      ? []
      : [
          `typed-id ${line}: exit code ${found.status} of the binary, ${expected.status} on Node, ${code} stated: ${found.stderr.slice(0, 300)} | ${expected.stderr.slice(0, 300)}`,
        ]
  })
  const ids = spawnSync(binary, ['new', 'user', '-n', '1000'], { encoding: 'utf8' }).stdout
  const check = spawnSync(process.execPath, [CLI, 'check', '--type', 'user'], { input: ids })
  if (ids.trim().split('\n').length !== 1000 || check.status !== 0) failed.push('typed-id new: invalid ids')
  return failed
}

export const SMOKE_CASES = CASES.length + 1
