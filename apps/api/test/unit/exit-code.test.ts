import { spawnSync } from 'node:child_process'
import { expect, test } from 'vitest'

test.each([0, 3])('a process that has loaded PostgreSQL for tests exits with its own code %d', (code) => {
  const href = import.meta.resolve('testkit/postgres.ts')
  const script = `await import(${JSON.stringify(href)}); process.exitCode = ${code}`
  const args = ['--input-type=module', '-e', script]
  expect(spawnSync(process.execPath, args, { encoding: 'utf8' })).toMatchObject({ status: code, stderr: '' })
})
