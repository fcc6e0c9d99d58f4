import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { startService } from '../support/process.ts'

test.skipIf(process.platform !== 'linux')(
  'the threads that hash passwords let the one that answers go first',
  async () => {
    const service = await startService({ DATABASE_URL: 'sqlite::memory:' })
    // The first hash lowers the priority.
    const user = { email: 'ada@example.com', name: 'Ada', password: 'correct horse' }
    await fetch(`${service.url}/users`, {
      method: 'POST',
      body: JSON.stringify(user),
      headers: { 'content-type': 'application/json' },
    })
    const tasks = `/proc/${service.process.pid}/task`
    /** The priorities of the threads of a name (proc(5): the 19th field of stat). */
    const priorities = async (name: string) => {
      const stats = await Promise.all(
        (await readdir(tasks)).map((id) => readFile(`${tasks}/${id}/stat`, 'utf8')),
      )
      return stats
        .filter((stat) => stat.includes(`(${name})`))
        .map((stat) => Number(stat.split(') ')[1]?.split(' ')[16]))
    }
    const [answering = Number.NaN] = await priorities('MainThread')
    expect(await priorities('libuv-worker')).toEqual(
      [10, 10, 10, 10].map((steps) => Math.min(19, answering + steps)),
    )
    await service.stop()
  },
)
