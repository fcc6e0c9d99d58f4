import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startService } from '../../support/process.ts'
import { recorderOf } from '../../support/team-writer.ts'

function canTrace(): boolean {
  try {
    execFileSync('strace', ['-D', '-o', '/dev/null', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Needs strace, and the right to use it. */
test.skipIf(!canTrace())(
  'the -wal file is flushed to the disk between its last write and the answer',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sync-'))
    const trace = join(folder, 'trace')
    const calls = 'trace=pwrite64,fdatasync,fsync,write,writev'
    const service = await startService({ DATABASE_URL: `sqlite:${folder}/users.db`, LOG_LEVEL: 'info' }, [
      ...['strace', '-D', '-f', '-y', '-s', '20', '-o', trace, '-e', calls],
    ])
    const client = recorderOf(() => service.url)
    for (let n = 0; n < 20; n += 1) await client.createTeams(1)
    await service.stop()

    // One letter for each call of interest, in their order: write, flush, answer.
    const letters: [RegExp, string][] = [
      [/ pwrite64\(\d+<[^>]*\.db-wal>/, 'w'],
      [/ f(data)?sync\(\d+<[^>]*\.db-wal>/, 'f'],
      [/ writev?\(\d+<socket:.*HTTP\/1\.1 201/, 'a'],
    ]
    const order = async () => {
      const lines = (await readFile(trace, 'utf8')).split('\n')
      return lines.map((line) => letters.find(([call]) => call.test(line))?.[1] ?? '').join('')
    }
    // strace may be behind the process that it watched.
    await expect.poll(order, { timeout: 10_000 }).toMatch(/(w+f+a){20}/)
    await rm(folder, { recursive: true })
  },
  30_000,
)
