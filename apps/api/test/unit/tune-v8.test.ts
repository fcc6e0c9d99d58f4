import { executionAsyncResource } from 'node:async_hooks'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { keptTick, tuneV8 } from '../../src/server/tune-v8.ts'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')
setFlagsFromString('--allow-natives-syntax')
const haveSameShape = new Function('a', 'b', 'return %HaveSameMap(a, b)')

const nextTick = () =>
  new Promise<object>((resolve) => process.nextTick(() => resolve(executionAsyncResource())))

test('ticks have the shape of the one that is kept, also after a garbage collection', async () => {
  tuneV8()
  await nextTick()
  expect(keptTick()).toBeDefined()
  collectGarbage()
  expect(haveSameShape(keptTick(), await nextTick())).toBe(true)
  expect(haveSameShape(keptTick(), {})).toBe(false)
})
