import { execFile } from 'node:child_process'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const CLI = `${process.execPath} ${fileURLToPath(new URL('../../src/cli.ts', import.meta.url))}`
const { version } = createRequire(import.meta.url)('../../package.json')

function shell(
  line: string,
): Promise<{ code: number; out: string; err: string }> {
  return new Promise((resolve) => {
    const options = {
      env: { ...process.env, NO_COLOR: undefined, id: CLI },
      maxBuffer: 1e8,
    }
    const child = execFile('bash', ['-c', line], options, (_, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err })
    })
  })
}

// Linux only: the tests need GNU's programs, and `script` of util-linux.
describe.skipIf(process.platform !== 'linux')('typed-id as a process', () => {
  test('converts standard input to standard output', async () => {
    const line =
      '$id new user -n 20000 | tee >(sha1sum >&2) | $id convert --to short | $id convert --to standard | sha1sum'
    const { code, out, err } = await shell(line)
    expect(code).toBe(0)
    expect(err).toBe(out)
  })

  test.each([
    'new user -n 5000000',
    'convert --to short < <($id new user -n 5000000)',
    'check < <(yes user) 2>&1',
  ])(
    'exits with 0 and no message when the reader closes the pipe: %s',
    async (command) => {
      const { out, err } = await shell(
        `$id ${command} | head -1; echo \${PIPESTATUS[0]}`,
      )
      expect(out).toMatch(/^(user|line 1: ).+\n0\n$/)
      expect(err).toBe('')
    },
  )

  test.each([
    ['prints its version', '$id --version', 0, version],
    ['rejects a line', 'echo x | $id check', 1, '1 of 1 lines invalid'],
    ['rejects a command', '$id chekc', 2, 'did you mean check?'],
    ['reports a full disk', '$id new user > /dev/full', 2, 'ENOSPC'],
    ['reports a folder', '$id check --file /tmp', 2, '/tmp: it is a folder'],
    ['rejects a folder', '$id check < /tmp', 2, 'input is a folder'],
    [
      'reports a file',
      "$id check --file $'/no/\\x1b[2J'",
      2,
      '/no/\\u{1b}[2J: no such',
    ],
  ])('%s', async (_, line, code, text) => {
    const { out, err, ...exit } = await shell(line)
    expect(exit).toEqual({ code })
    expect(code ? err : out).toContain(text)
    expect(out + err).not.toContain('\x1b')
  })

  const inspect = '$id inspect user_01j0b3v1mmeedtx9cpdgkfhbch'
  const onTerminal = `script -qec "${inspect}" /dev/null`
  test.each([
    [
      'a table in colour to a terminal',
      onTerminal,
      '\x1b[2mtype     \x1b[22m user',
    ],
    ['no colours with NO_COLOR', `NO_COLOR=1 ${onTerminal}`, 'type      user'],
    ['no colours with TERM=dumb', `TERM=dumb ${onTerminal}`, 'type      user'],
    ['JSON to a pipe', inspect, '{"type":"user"'],
    [
      'that it reads a terminal',
      'script -qec "$id check | cat" /dev/null < /dev/null',
      'Reading standard input',
    ],
  ])('writes %s', async (_, line, text) => {
    expect((await shell(line)).out).toContain(text)
  })
})
