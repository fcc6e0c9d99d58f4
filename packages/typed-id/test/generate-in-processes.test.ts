import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'tsup'
import { expect, test } from 'vitest'
import { counterOf, timeOf } from './reference.ts'

const NOON = Date.UTC(2024, 5, 14, 12)

/**
 * Makes the counter in the UUIDs overflow by a frozen clock and random bits
 * that are all ones. Runs in a separate process, because Vitest makes the loop
 * five times slower.
 */
function overflow(time: number): string[] {
  const code = `const { createUuidv7 } = await import('./src/index.ts')
    const uuid = createUuidv7({ now: () => ${time}, random: (bytes) => bytes.fill(0xff) })
    const first = uuid()
    let last
    for (let i = 0; i < 2 ** 25; i++) last = uuid()
    const orCode = () => { try { return uuid() } catch (error) { return error.code } }
    console.log([first, last, orCode(), orCode()].join())`
  const args = ['--input-type=module', '--eval', code]
  const cwd = `${import.meta.dirname}/..`
  return `${execFileSync(process.execPath, args, { cwd })}`.trim().split(',')
}

test('the sequence moves one millisecond ahead of the clock when the counter overflows', () => {
  const uuids = overflow(NOON)
  expect(uuids.map((uuid) => [timeOf(uuid) - NOON, counterOf(uuid)])).toEqual([
    [0, 2 ** 25 - 1],
    [0, 2 ** 26 - 1],
    [1, 2 ** 25 - 1],
    [1, 2 ** 25],
  ])
  expect(uuids).toEqual(uuids.toSorted())
})

test('throws on every call after the counter overflows in the last millisecond of 48 bits', () => {
  const [first = '', last = '', ...errors] = overflow(2 ** 48 - 1)
  expect([counterOf(first), counterOf(last)]).toEqual([
    2 ** 25 - 1,
    2 ** 26 - 1,
  ])
  expect(errors).toEqual(['invalid_time', 'invalid_time'])
})

test('processes that start from one startup snapshot return different UUIDs', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'typed-id-snapshot-'))
  writeFileSync(
    join(folder, 'in.ts'),
    `import { createUuidv7, uuidv4 } from '${new URL('../src/index.ts', import.meta.url).pathname}'
     let time = ${NOON}
     const uuidv7 = createUuidv7({ now: () => time })
     const create = () => [uuidv4(), uuidv7()].join()
     create()
     time += 20 // ms; a process takes longer to start
     require('node:v8').startupSnapshot.setDeserializeMainFunction(() => console.log(create()))`,
  )
  await build({
    entry: [join(folder, 'in.ts')],
    outDir: folder,
    format: ['cjs'],
    config: false,
    silent: true,
  })
  const run = (...args: string[]) =>
    execFileSync(process.execPath, ['--snapshot-blob', 'blob', ...args], {
      cwd: folder,
      encoding: 'utf8',
    })
  run('--build-snapshot', 'in.cjs')
  const ids = [run(), run()].flatMap((lines) => lines.trim().split(','))
  rmSync(folder, { recursive: true })
  for (const version of [4, 7]) {
    const pattern = new RegExp(
      `^[0-9a-f]{8}-[0-9a-f]{4}-${version}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`,
    )
    expect(new Set(ids.filter((id) => pattern.test(id))).size).toBe(2)
  }
}, 30_000)
