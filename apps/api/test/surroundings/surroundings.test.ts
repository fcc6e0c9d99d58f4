import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const api = fileURLToPath(new URL('../../', import.meta.url))

describe('the built service', () => {
  let folder: string
  beforeAll(async () => {
    const cache = join(api, 'node_modules/.cache')
    await mkdir(cache, { recursive: true })
    folder = await mkdtemp(join(cache, 'bundle-'))
    const options = ['--silent', '--out-dir', folder]
    await run(join(api, 'node_modules/.bin/tsup'), options, { cwd: api })
    return () => rm(folder, { recursive: true })
  })

  const command = (args: string[], env: Record<string, string> = {}) =>
    run(process.execPath, [join(folder, 'main.js'), ...args], { env }).catch(
      (error) => error,
    )

  test('keeps its data beside main.js, not in folders above it', async () => {
    const child = spawn(process.execPath, [join(folder, 'main.js')], {
      env: { PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    expect((await fetch(`${JSON.parse(line).url}/docs`)).status).toBe(200)
    expect(existsSync(join(folder, 'data/users.db'))).toBe(true)
  })

  test('names commands that it has in its messages', async () => {
    const DATABASE_URL = `sqlite:${folder}/empty.db`
    const lacking = await command([], { DATABASE_URL, MIGRATE: 'never' })
    expect(lacking.stderr).toMatch(/ run "node main\.js migrate"\n$/)
    expect((await command(['--help'])).stdout).toContain(
      'Usage: node main.js COMMAND',
    )
  })

  test.each([
    ['22.17.9', 'Node.js: expected version 22.18 or newer, received 22.17.9\n'],
    ['22.18.0', ''],
    ['100.0.0', ''],
  ])(
    'checks the version of Node before it loads a package: %s',
    async (version, stderr) => {
      const preload = join(folder, 'version.cjs')
      const versions = `{ ...process.versions, node: '${version}' }`
      await writeFile(
        preload,
        `Object.defineProperty(process, 'versions', { value: ${versions} })`,
      )
      const NODE_OPTIONS = `--require ${preload}`
      const printed = await command(['--version'], { NODE_OPTIONS })
      expect(printed.stderr).toBe(stderr)
      expect(printed.code).toBe(stderr ? 1 : undefined)
    },
  )
})
