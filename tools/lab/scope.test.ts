import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { startService } from 'testkit/process.ts'
import { expect, test } from 'vitest'
import { withScope } from './kit/scope.ts'

function isRunning(pid: number | undefined): boolean {
  try {
    process.kill(pid ?? 0, 0)
    return true
  } catch {
    return false
  }
}

test('stops the service and removes the folder when the work throws', async () => {
  let pid: number | undefined
  let folder = ''
  const work = withScope(async (scope) => {
    folder = scope.createFolder('api-scope-')
    const service = await startService(
      { DATABASE_URL: `sqlite:${folder}/users.db` },
      [],
      scope.own,
    )
    pid = service.process.pid
    throw new Error('a failed assertion')
  })
  await expect(work).rejects.toThrow('a failed assertion')
  expect(isRunning(pid), `process ${pid} is still running`).toBe(false)
  expect(existsSync(folder), `${folder} still exists`).toBe(false)
})

test.each(['SIGINT', 'SIGKILL'] as const)(
  'a PostgreSQL server and its folder are gone after %s of the process that started them',
  async (signal) => {
    const module = new URL('../testkit/postgres.ts', import.meta.url)
    const code = `const { folder } = await (await import('${module}')).startPostgres(); console.log(folder)`
    const child = spawn(process.execPath, ['-e', code], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [output] = await once(child.stdout, 'data')
    const folder = String(output).trim()
    const pid = Number.parseInt(
      readFileSync(`${folder}/data/postmaster.pid`, 'utf8'),
      10,
    )
    expect(isRunning(pid)).toBe(true)
    child.kill(signal)
    await expect.poll(() => existsSync(folder)).toBe(false)
    expect(isRunning(pid)).toBe(false)
  },
)
