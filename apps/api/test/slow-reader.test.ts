import { expect, test } from 'vitest'
import { measureSlowReader } from './slow-reader.ts'

test('readers of a long list cost little memory, and nobody else much time', {
  timeout: 60_000,
}, async () => {
  const cost = await measureSlowReader(100_000, 2000)
  expect(cost.complete).toBe(true)
  expect(cost.megabytesSent).toBeGreaterThan(40)
  expect(cost.megabytesGrown).toBeLessThan(50)
  expect(cost.megabytesGrownInTheEnd).toBeLessThan(50)
  expect(cost.othersAnswered).toBeGreaterThan(20)
  expect(cost.othersAnsweredBesideCurl).toBeGreaterThan(30)
  expect(cost.slowestOtherMs, 'another request waited for the pause to end').toBeLessThan(2000)
})
