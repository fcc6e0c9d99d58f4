import { readdir, readFile } from 'node:fs/promises'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, test } from 'vitest'

test.skipIf(process.platform !== 'linux')(
  'threads that hash passwords have a lower priority than the main thread',
  async () => {
    const service = await startServiceForTest({ DATABASE_URL: 'sqlite::memory:' })
    // The first hash lowers the priority.
    const user = { email: 'ada@example.com', name: 'Ada', password: 'correct horse' }
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
