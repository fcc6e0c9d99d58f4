import { expect, test } from 'vitest'
import { UserId } from '../ids.ts'
import { createUser, seed } from './fixtures.ts'
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
