import { type } from 'arktype'
import { expect, test } from 'vitest'
import { router } from './frameworks/trpc/recipe.ts'
import { ID_CASES, UserId } from './users.ts'

/* Tests packages that accept an id type without a recipe, because it is a Standard Schema. */

const { 'right id': id, ...WRONG } = ID_CASES

test('tRPC accepts an id type as an input parser', async () => {
  const { findUndocumented } = router.createCaller({})
  expect(await findUndocumented(id)).toEqual({ id })
  for (const text of Object.values(WRONG))
    await expect(findUndocumented(text)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})

test('ArkType accepts an id type as a definition, with its messages, and does not emit its JSON Schema', () => {
  const Body = type({ user_id: UserId })
  expect(Body.assert({ user_id: id })).toEqual({ user_id: id })
  for (const user_id of Object.values(WRONG))
    expect(() => Body.assert({ user_id })).toThrow(UserId.safeParse(user_id).error?.message)
  expect(Body['~standard'].jsonSchema.output({ target: 'draft-07' }).properties).toEqual({ user_id: {} })
})
