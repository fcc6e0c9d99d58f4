import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'

const MAIN = join(import.meta.dirname, '../src/main.ts')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codemod-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, ...args], {
    cwd: folder,
    encoding: 'utf8',
  })
  return { status, stdout, stderr }
}

function write(path: string, content: string | Uint8Array) {
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), content)
  utimesSync(join(folder, path), 0, 0)
}

test('rewrites a folder; a second run writes no file', () => {
  write('src/users/ids.ts', "import { v4 } from 'uuid'\n")
  write('src/names.ts', "import { validate } from 'uuid'\n")

  expect(run('uuid', 'src')).toEqual({
    status: 0,
    stdout: 'src/users/ids.ts\n1 of 2 files changed\n',
    stderr: '',
  })
  expect(readFileSync(join(folder, 'src/users/ids.ts'), 'utf8')).toBe(
    "import { uuidv4 as v4 } from 'typed-id'\n",
  )
  expect(statSync(join(folder, 'src/names.ts')).mtimeMs).toBe(0)

  expect(run('uuid', 'src')).toEqual({ status: 0, stdout: '0 of 2 files changed\n', stderr: '' })
})

test('leaves installed packages, declarations and other files unchanged', () => {
  const text = "import { v4 } from 'uuid'\nexport const id = v4()\n"
  const paths = [
    'node_modules/a/index.js',
    'dist/index.js',
    '.next/page.js',
    'src/index.d.ts',
    'src/notes.md',
  ]
  for (const path of paths) write(path, text)
  expect(run('uuid', '.').stdout).toBe('0 of 0 files changed\n')
  for (const path of paths) expect(readFileSync(join(folder, path), 'utf8')).toBe(text)
})

test('reports files that it cannot read, rewrites the others, and exits with code 1', () => {
  write('broken.ts', "import { v4 } from 'uuid'\nconst id = (\n")
  write('latin1.ts', Buffer.from("import { v4 } from 'uuid' // caf\xe9\n", 'latin1'))
  write('users.ts', "import { v4 } from 'uuid'\n")
  const { status, stdout, stderr } = run('uuid', '.')
  expect(status).toBe(1)
  expect(stdout).toBe('users.ts\n1 of 3 files changed\n')
  expect(stderr).toMatch(/^skipped: broken\.ts:2: .+\nskipped: latin1\.ts: not UTF-8\n$/)
})

test.each(['missing.ts', 'n'.repeat(300)])(
  'reports a path that does not exist, and rewrites the others: %#',
  (path) => {
    write('users.ts', "import { v4 } from 'uuid'\n")
    const { status, stdout, stderr } = run('uuid', path, 'users.ts')
    expect(status).toBe(1)
    expect(stdout).toBe('users.ts\n1 of 2 files changed\n')
    expect(stderr).toMatch(/^skipped: (ENOENT|ENAMETOOLONG): .+\n$/)
    expect(stderr).toContain(`'${path}'`)
  },
)

test('without a known package or a path, prints the usage and exits with code 2', () => {
  for (const args of [[], ['uuid'], ['toString', '.']]) {
    expect(run(...args)).toMatchObject({ status: 2, stderr: expect.stringMatching(/^usage: /) })
  }
})
