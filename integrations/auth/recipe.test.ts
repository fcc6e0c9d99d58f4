import { expect, test } from 'vitest'
import { auth, UserId, userIdOf } from './better-auth.ts'

test('Better Auth creates users and sessions with typed ids', async () => {
  const { headers, response } = await auth.api.signUpEmail({
    body: {
      name: 'Ada',
      email: 'ada@example.com',
      password: 'correct horse',
    },
    returnHeaders: true,
  })
  expect(UserId.is(response.user.id)).toBe(true)
  const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
  expect(await userIdOf(new Headers({ cookie }))).toBe(response.user.id)
  expect(await userIdOf(new Headers())).toBeUndefined()
  const session = await auth.api.getSession({
    headers: new Headers({ cookie }),
  })
  expect(session?.session.id).toMatch(/^session-/)
  expect(session?.session.userId).toBe(response.user.id)
})
