import { expect, test } from 'vitest'
import { ID_CASES } from '../../id-cases.ts'
import { router } from './recipe.ts'

test('tRPC accepts an id type as an input parser', async () => {
  const { findUndocumented } = router.createCaller({})
  const { 'right id': id, ...wrong } = ID_CASES
  expect(await findUndocumented(id)).toEqual({ id })
  for (const text of Object.values(wrong))
    await expect(findUndocumented(text)).rejects.toMatchObject({ code: 'BAD_REQUEST' })
})
