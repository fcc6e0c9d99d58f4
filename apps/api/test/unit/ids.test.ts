import { type IdType, uuidv7At } from 'typed-id'
import { expect, onTestFinished, test } from 'vitest'
import * as ids from '../../src/ids.ts'

test('ids.ts lists each id type, and types of version 7 continue after the stored ids', () => {
  const types = Object.values<object>(ids).filter((value): value is IdType<string> => 'prefix' in value)
  expect(types.filter((type) => !ids.ID_TYPES.includes(type)).map(({ prefix }) => prefix)).toEqual([])
  const stored = uuidv7At(Date.now() + 60_000)
  onTestFinished(() => ids.continueIdsAfter(uuidv7At(0)))
  ids.continueIdsAfter(stored)
  for (const { prefix, generate, timestamp, toUuid } of types) {
    const id = generate()
    if (timestamp(id)) expect(toUuid(id) > stored, `${prefix}: defineId('${prefix}', { uuid })`).toBe(true)
  }
})
