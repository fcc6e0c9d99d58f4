import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const CLI = fileURLToPath(new URL('../../src/cli.ts', import.meta.url))

/** Replaces the function that opens files before the command starts: root can read every file. */
const DENY =
  "import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; fs.createReadStream = (path) => { throw Object.assign(new Error('EACCES: permission denied, open ' + path), { code: 'EACCES' }) }; syncBuiltinESMExports()"

function run(args: string[], preload?: string): Promise<{ code: number; out: string; err: string }> {
  const imports = preload ? ['--import', `data:text/javascript,${encodeURIComponent(preload)}`] : []
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [...imports, CLI, ...args], (_, out, err) => {
      resolve({ code: child.exitCode ?? -1, out, err })
    })
  })
}

describe('a file that cannot be read', () => {
  test('is named without the control characters of its name, which a terminal would execute', async () => {
    const { code, err } = await run(['scan', '/no/\x1b[2Jfile'])
    expect(code).toBe(2)
    expect(err).toContain('/no/')
    expect(err).not.toContain('\x1b')
  })

  test('for lack of a permission ends with code 2, as for a missing file', async () => {
    const { code, err } = await run(['scan', 'file'], DENY)
    expect(err).toContain('EACCES')
    expect(code).toBe(2)
  })
})
