import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test } from 'vitest'

/** Enough for a request, and less than the 19 MiB of a password hash. */
const SPARE = 12 * 1024 * 1024

const user = { email: 'ada@example.com', name: 'Ada', password: 'x' }

test.runIf(process.platform === 'linux')(
  'a registration for whose password hash there is no memory receives 503, and is accepted when there is',
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

test.skipIf(process.platform !== 'linux')(
  'threads that hash passwords have a lower priority than the main thread',
  async () => {
    const service = await startServiceForTest({ DATABASE_URL: 'sqlite::memory:' })
    // The first hash lowers the priority.
    expect((await service.post('/users', user)).status).toBe(201)
    const tasks = `/proc/${service.process.pid}/task`
    /** Returns the nice values of the threads with a name: the 19th field of stat (proc(5)). */
    const niceValuesOf = async (name: string) => {
      const stats = await Promise.all(
        (await readdir(tasks)).map((id) => readFile(`${tasks}/${id}/stat`, 'utf8')),
      )
      return stats
        .filter((stat) => stat.includes(`(${name})`))
        .map((stat) => Number(stat.split(') ')[1]?.split(' ')[16]))
    }
    const [main = Number.NaN] = await niceValuesOf('MainThread')
    const expected = Math.min(19, main + 10)
    expect(await niceValuesOf('libuv-worker')).toEqual([expected, expected, expected, expected])
  },
)

const MODULE = new URL('../../src/server/tune-v8.ts', import.meta.url).href

/**
 * Runs in the process of the service. On SIGUSR2, prints the type of the kept tick, and in which generation V8 allocates
 * a kind of object that has survived many garbage collections.
 */
const PROBE = `
  import { setFlagsFromString } from 'node:v8'
  import { keptTick } from ${JSON.stringify(MODULE)}
  process.on('SIGUSR2', () => {
    setFlagsFromString('--allow-natives-syntax')
    const isYoung = new Function('object', 'return %InYoungGeneration(object)')
    const create = (n) => ({ n, list: [n] })
    const alive = Array.from({ length: 200_000 }, (_, n) => create(n))
    console.error(typeof keptTick(), isYoung(create(alive.length)) ? 'young' : 'old')
  })
`

test('a process of the service keeps a tick alive, and allocates objects in the young generation', async () => {
  const probe = `data:text/javascript,${encodeURIComponent(PROBE)}`
  const service = await startServiceForTest({
    NODE_OPTIONS: `--max-semi-space-size=1 --import ${probe}`,
  })
  service.process.kill('SIGUSR2')
  await expect.poll(service.stderr).toBe('object young\n')
})
