import { expect, test } from 'vitest'
import { createLimiter, OverloadedError } from '../src/limiter.ts'

/** Tasks that end when told to, in a limiter. */
function tasks(running: number, waiting: number) {
  const limiter = createLimiter({ running, waiting })
  const started: number[] = []
  const ends: PromiseWithResolvers<void>[] = []
  const start = (n: number) => {
    ends[n] = Promise.withResolvers<void>()
    return limiter.run(() => {
      started.push(n)
      return ends[n]?.promise ?? Promise.resolve()
    })
  }
  return { limiter, started, start, end: (n: number) => ends[n]?.resolve() }
}

test('runs so many at once, the others in the order of their coming, and refuses what may not wait', async () => {
  const { limiter, started, start, end } = tasks(2, 2)
  const all = [0, 1, 2, 3].map(start)
  await expect(start(4)).rejects.toThrow(OverloadedError)
  expect(started).toEqual([0, 1])
  expect(limiter).toMatchObject({ running: 2, waiting: 2 })
  end(1)
  await all[1]
  await expect.poll(() => started).toEqual([0, 1, 2])
  for (const n of [0, 2, 3]) end(n)
  await expect.poll(() => started).toEqual([0, 1, 2, 3])
  end(3)
  await Promise.all(all)
  expect(limiter).toMatchObject({ running: 0, waiting: 0 })
})

test('gives the place of a task that fails to the next', async () => {
  const limiter = createLimiter({ running: 1, waiting: 1 })
  const failing = limiter.run(() => Promise.reject(new Error('no')))
  const next = limiter.run(async () => 'yes')
  await expect(failing).rejects.toThrow('no')
  expect(await next).toBe('yes')
  expect(limiter.running).toBe(0)
})
