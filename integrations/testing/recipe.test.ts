import { expect, test } from 'vitest'
import { UserId } from '../ids.ts'
import './setup.ts'

test.each([1, 2])('the set-up file gives each test the same ids (%i)', () => {
  expect(UserId.generate()).toBe('user-00000000-0000-7000-8000-000000000001')
})
