import { expect, test } from 'vitest'
import { OverloadError } from '../../src/errors.ts'
import { createPasswordQueue } from '../../src/profile-a/password-queue.ts'

/** Returns a queue and tasks that end when the test calls `end`. */
function createTasks(concurrency: number, queueLimit: number) {
  const queue = createPasswordQueue({ concurrency, queueLimit })
  const started: number[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const start = (n: number) => {
    ends[n] = Promise.withResolvers<void>()
    return queue.run(() => {
      started.push(n)
      return ends[n]?.promise ?? Promise.resolve()
    })
  }
  const measured = () => queue.measurements.map(({ read }) => read())
  return { started, start, measured, end: (n: number) => ends[n]?.resolve() }
}

test('runs tasks up to the concurrency, the others in the order of their arrival, and rejects tasks above the limit', async () => {
  const { started, start, measured, end } = createTasks(2, 2)
  const all = [0, 1, 2, 3].map(start)
  await expect(start(4)).rejects.toThrow(OverloadError)
  expect(started).toEqual([0, 1])
  expect(measured()).toEqual([2, 2, 1])
  end(1)
  await all[1]
  await expect.poll(() => started).toEqual([0, 1, 2])
  for (const n of [0, 2]) end(n)
  await expect.poll(() => started).toEqual([0, 1, 2, 3])
  end(3)
  await Promise.all(all)
  expect(measured()).toEqual([0, 0, 1])
})

test('a task that fails passes its slot to the next', async () => {
  const queue = createPasswordQueue({ concurrency: 1, queueLimit: 1 })
  const failing = queue.run(() => Promise.reject(new Error('no')))
  const next = queue.run(async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
  expect(queue.measurements.map(({ read }) => read())).toEqual([0, 0, 0])
})
