import { expect, test } from 'vitest'
import { createUuidv7 } from '../src/index.ts'
import { numberOfUuid } from './reference.ts'

const NOON = Date.UTC(2024, 5, 14, 12)

const timeOf = (uuid: string) => Number(numberOfUuid(uuid) >> 80n)
const counterOf = (uuid: string) => {
  const number = numberOfUuid(uuid)
  return Number(((number >> 50n) & 0x3ffc000n) | ((number >> 48n) & 0x3fffn))
}

test('the sequence moves one millisecond ahead of the clock when the counter overflows', () => {
  const uuid = createUuidv7({ now: () => NOON, random: (bytes) => bytes.fill(0xff) })
  let last = uuid()
  expect(counterOf(last)).toBe(2 ** 25 - 1)
  for (let i = 0; i < 2 ** 25; i++) last = uuid()
  expect([timeOf(last) - NOON, counterOf(last)]).toEqual([0, 2 ** 26 - 1])
  const next = uuid()
  expect([timeOf(next) - NOON, counterOf(next)]).toEqual([1, 2 ** 25 - 1])
  expect(next > last).toBe(true)
}, 300_000)

test('throws on every call after the counter overflows in the last millisecond of 48 bits', () => {
  const uuid = createUuidv7({ now: () => 2 ** 48 - 1, random: (bytes) => bytes.fill(0xff) })
  for (let i = 0; i <= 2 ** 25; i++) uuid()
  expect(uuid).toThrow(expect.objectContaining({ code: 'invalid_time' }))
  expect(uuid).toThrow(expect.objectContaining({ code: 'invalid_time' }))
}, 300_000)
