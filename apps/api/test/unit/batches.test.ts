import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, onTestFinished, test, vi } from 'vitest'
import { inBatches } from '../../src/database/postgres/batches.ts'

test('a third batch starts only when two have run for 5 ms, also after another third one', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const batches: string[] = []
  const ends: (() => void)[] = []
  const add = inBatches<string>(64, (items) => {
    batches.push(items.join(''))
    return new Promise((resolve) => ends.push(resolve))
  })
  const turns = async () => {
    for (let n = 0; n < 5; n += 1) await nextTurn()
    return batches.join(' ')
  }
  add('a')
  add('b')
  expect(await turns()).toBe('ab')
  add('c')
  expect(await turns()).toBe('ab c')
  add('d')
  add('e')
  expect(await turns()).toBe('ab c')
  vi.advanceTimersByTime(5)
  expect(await turns()).toBe('ab c de')
  add('f')
  ends[2]?.()
  expect(await turns()).toBe('ab c de')
  add('g')
  vi.advanceTimersByTime(5)
  expect(await turns()).toBe('ab c de fg')
  for (const end of ends) end()
  add('h')
  expect(await turns()).toBe('ab c de fg h')
})
