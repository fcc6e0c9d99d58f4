import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, onTestFinished, test } from 'vitest'

const run = promisify(execFile)
const api = fileURLToPath(new URL('../../', import.meta.url))

test('the built service keeps its data beside main.js, not in folders above it', async () => {
  const cache = join(api, 'node_modules/.cache')
  await mkdir(cache, { recursive: true })
  const folder = await mkdtemp(join(cache, 'bundle-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await run(join(api, 'node_modules/.bin/tsup'), ['--silent', '--out-dir', folder], { cwd: api })
  const child = spawn(process.execPath, [join(folder, 'main.js')], {
    env: { PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [line] = await once(createInterface({ input: child.stdout }), 'line')
  const { url } = JSON.parse(line)
  expect((await fetch(`${url}/docs`)).status).toBe(200)
  expect(existsSync(join(folder, 'data/users.db'))).toBe(true)
})

test('with 64 open files at most, no request for the documentation is a 500', async () => {
  const service = await startServiceForTest({ DATABASE_URL: 'sqlite::memory:' }, [
    'sh',
    '-c',
    'ulimit -n 64; exec "$@"',
    'sh',
  ])
  const paths = [
    '/docs',
    '/docs/swagger-ui-dist/swagger-ui-bundle.js',
    '/docs/swagger-ui-dist/swagger-ui.css',
  ]
  const get = (n: number) =>
    fetch(`${service.url}${paths[n % paths.length]}`, { headers: { connection: 'close' } }).then(
      (response) => response.status,
      () => 'no connection',
    )
  const statuses = new Set(await Promise.all(Array.from({ length: 90 }, (_, n) => get(n))))
  expect(statuses).not.toContain(500)
  await expect.poll(() => get(1)).toBe(200)
})
