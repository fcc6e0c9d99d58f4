import { idSchema } from 'typed-id/zod'
import { expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { defineErrors } from '../../src/http/errors.ts'
import { route } from '../../src/http/route.ts'
import { TeamId, UserId } from '../../src/ids.ts'

const ERRORS = defineErrors({
  user_not_found: { status: 404, detail: 'User not found' },
  team_not_found: { status: 404, detail: 'Team not found' },
})

const User = z.object({ id: idSchema(UserId), name: z.string() })

const declaration = {
  method: 'get',
  path: '/users/{user_id}',
  id: 'getUser',
  tag: 'users',
  summary: 'Read a user',
  params: z.object({ user_id: idSchema(UserId) }),
  success: { status: 200, description: 'The user', body: User },
  errors: [ERRORS.user_not_found],
} as const

test('a handler receives what the declaration validates', () => {
  route(declaration, async ({ params }) => {
    expectTypeOf(params).toEqualTypeOf<{ user_id: UserId }>()
    return { id: params.user_id, name: '' }
  })
})

test('a declared error compiles', () => {
  route(declaration, async () => ERRORS.user_not_found)
})

test('an error that is not declared does not compile', () => {
  // @ts-expect-error
  route(declaration, async () => ERRORS.team_not_found)
})

test('a body of another shape does not compile', () => {
  // @ts-expect-error
  route(declaration, async ({ params }) => ({ id: params.user_id }))
})

test("an id of another type, or a plain string for an id, does not compile as a handler's result", () => {
  // @ts-expect-error
  route(declaration, async () => ({ id: TeamId.generate(), name: '' }))
  // @ts-expect-error
  route(declaration, async () => ({
    id: 'user-0190163d-8694-739b-aea5-966c26f8ad91',
    name: '',
  }))
})

test('a handler without a result does not compile where a body is declared', () => {
  // @ts-expect-error
  route(declaration, async () => undefined)
})

test('a path parameter without a schema does not compile', () => {
  route(
    // @ts-expect-error
    { ...declaration, params: z.object({ id: idSchema(UserId) }) },
    async () => ERRORS.user_not_found,
  )
})

test('a string is a body and never an error', () => {
  const text = {
    ...declaration,
    success: { status: 200, description: 'A string', body: z.string() },
  } as const
  route(text, async () => 'user_not_found')
  // @ts-expect-error
  route(declaration, async () => 'user_not_found')
})
