import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { counterOf, timeOf } from './reference.ts'

const NOON = Date.UTC(2024, 5, 14, 12)

/**
 * Returns the first UUID of a frozen clock whose random bits are all ones, the UUID after 2^25 more, and two more, or the codes
 * of their errors. Runs in a process of its own: Vitest's module loader makes the loop five times slower, counting
 * its coverage twenty times.
 */
function overflow(time: number): string[] {
  const code = `const { createUuidv7 } = await import('./src/index.ts')
    const uuid = createUuidv7({ now: () => ${time}, random: (bytes) => bytes.fill(0xff) })
    const first = uuid()
    let last
    for (let i = 0; i < 2 ** 25; i++) last = uuid()
    const orCode = () => { try { return uuid() } catch (error) { return error.code } }
    console.log([first, last, orCode(), orCode()].join())`
  const options = { encoding: 'utf8', cwd: `${import.meta.dirname}/..` } as const
  return execFileSync(process.execPath, ['--input-type=module', '--eval', code], options).trim().split(',')
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
  expect([counterOf(first), counterOf(last)]).toEqual([2 ** 25 - 1, 2 ** 26 - 1])
  expect(errors).toEqual(['invalid_time', 'invalid_time'])
})
