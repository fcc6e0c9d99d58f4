import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test } from 'vitest'

/** Enough for a request, and less than the 19 MiB of a password hash. */
const SPARE = 12 * 1024 * 1024

const user = { email: 'ada@example.com', name: 'Ada', password: 'x' }

test.runIf(process.platform === 'linux')(
  'a registration receives 503 while memory for its password hash is lacking, and is accepted afterwards',
  async () => {
    const service = await startServiceForTest({ DATABASE_URL: 'sqlite::memory:' })
    const { pid } = service.process
    // Starts the threads that read files and hash passwords: their stacks take more than the spare memory.
    await service.get('/docs/swagger-ui-dist/swagger-ui.css')
    const [, kilobytes] = /^VmData:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
    const limitMemory = (bytes: number | 'unlimited') =>
      execFileSync('prlimit', ['--pid', String(pid), `--data=${bytes}:unlimited`])
    limitMemory(Number(kilobytes) * 1024 + SPARE)
    const rejected = await service.post('/users', user)
    expect(rejected).toMatchObject({ status: 503, json: { detail: 'Service Unavailable' } })
    expect(rejected.headers.get('retry-after')).toBe('1')
    await expect.poll(() => service.logLines.join()).toContain('no memory for a password hash')
    limitMemory('unlimited')
    expect((await service.post('/users', user)).status).toBe(201)
  },
)
