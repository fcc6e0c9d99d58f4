import type { StandardSchemaV1 } from '@standard-schema/spec'
import { expect, test } from 'vitest'
import { defineId } from '../src/index.ts'

const UserId = defineId('user')

/** Validates a value like a library that accepts any Standard Schema. */
function validate<S extends StandardSchemaV1>(schema: S, value: unknown) {
  const result = schema['~standard'].validate(value)
  if (result instanceof Promise) throw new Error('expected a synchronous schema')
  return result
}

test('a valid id is returned', () => {
  expect(validate(UserId, UserId.example)).toEqual({ value: UserId.example })
})

test('an invalid value is reported as one issue: the error that parse throws', () => {
  expect(validate(UserId, 'nope').issues).toEqual([UserId.safeParse('nope').error])
})

test('has version 1 and the name of this library', () => {
  expect(UserId['~standard']).toMatchObject({ version: 1, vendor: 'typed-id' })
})
