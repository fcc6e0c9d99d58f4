import type { StandardSchemaV1 } from '@standard-schema/spec'
import { expect, test } from 'vitest'
import { defineId } from '../src/index.ts'

const UserId = defineId('user')

/** What a validator-agnostic library does. */
function validate<S extends StandardSchemaV1>(schema: S, value: unknown) {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('expected a synchronous schema')
  return result
}

test('a good id is passed on', () => {
  expect(validate(UserId, UserId.example)).toEqual({ value: UserId.example })
})

test('anything else is one issue with the message that parse throws', () => {
  expect(validate(UserId, 'nope')).toEqual({
    issues: [{ message: 'malformed standard: expected user-<lowercase uuid>, received "nope"' }],
  })
})

test('names version 1 and this library', () => {
  expect(UserId['~standard']).toMatchObject({ version: 1, vendor: 'typed-id' })
})
