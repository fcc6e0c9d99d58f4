import { type } from 'arktype'
import { expect, test } from 'vitest'
import { ID_CASES } from '../../id-cases.ts'
import { findUser, UserId } from '../../users.ts'

test('ArkType accepts an id type as a definition, with its messages, and does not emit its JSON Schema', () => {
  const Body = type({ user_id: UserId })
  const { 'right id': id, ...wrong } = ID_CASES
  expect(findUser(Body.assert({ user_id: id }).user_id)).toEqual({ id })
  for (const user_id of Object.values(wrong))
    expect(() => Body.assert({ user_id })).toThrow(UserId.safeParse(user_id).error?.message)
  expect(Body['~standard'].jsonSchema.output({ target: 'draft-07' }).properties).toEqual({ user_id: {} })
})
