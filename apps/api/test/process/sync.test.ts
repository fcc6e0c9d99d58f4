import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, onTestFinished, test } from 'vitest'

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-D', '-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const WRITES = 20

/** Needs strace, and the permission to use it. */
test.skipIf(!canTrace())(
  'the -wal file is flushed to the disk between its last write and the response',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sync-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const trace = join(folder, 'trace')
    const calls = 'trace=pwrite64,fdatasync,fsync,write,writev'
    const service = await startServiceForTest({ DATABASE_URL: `sqlite:${folder}/users.db` }, [
      ...['strace', '-D', '-f', '-y', '-s', '20', '-o', trace, '-e', calls],
    ])
    for (let n = 0; n < WRITES; n += 1)
      expect((await service.post('/teams', { name: `${n}` })).status).toBe(201)
    await service.stop()

    // One letter for each call of interest, in their order: write, flush, respond.
    const letters: [RegExp, string][] = [
      [/ pwrite64\(\d+<[^>]*\.db-wal>/, 'w'],
      [/ f(data)?sync\(\d+<[^>]*\.db-wal>/, 'f'],
      [/ writev?\(\d+<socket:.*HTTP\/1\.1 201/, 'r'],
    ]
    const order = async () => {
      const lines = (await readFile(trace, 'utf8')).split('\n')
      return lines.map((line) => letters.find(([call]) => call.test(line))?.[1] ?? '').join('')
    }
    // strace may write its last lines after the service has ended.
    await expect.poll(order).toMatch(new RegExp(`(w+f+r){${WRITES}}`))
  },
)
