import { betterAuth } from 'better-auth'
import { memoryAdapter } from 'better-auth/adapters/memory'
import { defineId, type IdOf, idRegistry } from 'typed-id'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>

/** One type for each model of Better Auth and of its plugins. */
const ids = idRegistry([
  UserId,
  defineId('session'),
  defineId('account'),
  defineId('verification'),
])

export const auth = betterAuth({
  // Replace this by the adapter of your database, with text columns.
  database: memoryAdapter({
    user: [],
    session: [],
    account: [],
    verification: [],
  }),
  emailAndPassword: { enabled: true },
  advanced: {
    database: {
      // Throws for a model that has no id type.
      generateId: ({ model }) =>
        ids.generate(model as (typeof ids.types)[number]['prefix']),
    },
  },
})

/** Returns the id of the signed-in user. */
export async function userIdOf(
  headers: Headers,
): Promise<UserId | undefined> {
  const session = await auth.api.getSession({ headers })
  return session ? UserId.parse(session.user.id) : undefined
}
