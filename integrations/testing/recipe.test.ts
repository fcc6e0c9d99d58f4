import fc from 'fast-check'
import { idSchema } from 'typed-id/zod'
import { expect, test } from 'vitest'
import { zocker } from 'zocker'
import * as z from 'zod'
import { UserId } from '../ids.ts'
import { createUser, seed, userIds } from './fixtures.ts'
import './setup.ts'

test.each([1, 2])('the set-up file gives each test the same ids (%i)', () => {
  expect(UserId.generate()).toBe('user-00000000-0000-7000-8000-000000000001')
})

test('a seed repeats the ids and the other data of faker', () => {
  const createUsers = (value: number) => {
    seed(value)
    return [createUser(), createUser()]
  }
  expect(createUsers(7)).toEqual(createUsers(7))
  expect(createUsers(7)).not.toEqual(createUsers(8))
})

test('zocker generates ids that are supplied', () => {
  const schema = z.object({ id: idSchema(UserId) })
  const users = zocker(schema).supply(schema.shape.id, UserId.generate)
  expect(UserId.is(users.generate().id)).toBe(true)
})

test('fast-check generates ids, and shrinks them', () => {
  fc.assert(
    fc.property(userIds, (id) => UserId.fromShort(UserId.toShort(id)) === id),
  )
  const { counterexample } = fc.check(fc.property(userIds, () => false))
  expect(counterexample).toEqual(['user-00000000-0000-0000-0000-000000000000'])
})
