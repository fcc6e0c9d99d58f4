import { getMigrations } from 'better-auth/db/migration'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect } from 'kysely'
import { expect, test } from 'vitest'
import { createAuth, options, UserId } from './auth.ts'

test('better-auth generates an id of each model, finds users and sessions by them, and resets a password', async () => {
  const sqlite = new Sqlite(':memory:')
  const dialect = new SqliteDialect({ database: sqlite })
  const { compileMigrations } = await getMigrations(options(new Kysely({ dialect })))
  sqlite.exec(await compileMigrations())
  const auth = createAuth(new Kysely({ dialect }))
  const sent: string[] = []
  const context = await auth.$context
  context.options.emailAndPassword = {
    enabled: true,
    sendResetPassword: async ({ token }) => void sent.push(token),
  }

  const body = { name: 'Ada', email: 'ada@example.com', password: 'a long password' }
  const { user, token } = await auth.api.signUpEmail({ body })
  expect(UserId.is(user.id)).toBe(true)
  const headers = new Headers({ authorization: `Bearer ${token}` })
  const signedIn = await auth.api.signInEmail({ body, asResponse: true })
  headers.set('cookie', signedIn.headers.get('set-cookie')?.split(';')[0] ?? '')
  const session = await auth.api.getSession({ headers })
  expect(session?.user.id).toBe(user.id)
  expect(session?.session.id).toMatch(/^session-/)

  await auth.api.requestPasswordReset({ body })
  await auth.api.resetPassword({ body: { token: sent[0] ?? '', newPassword: 'a new password' } })
  await auth.api.signInEmail({ body: { ...body, password: 'a new password' } })

  expect(sqlite.prepare('select id from user').pluck().all()).toEqual([user.id])
  expect(sqlite.prepare('select distinct userId from session').pluck().all()).toEqual([user.id])
  expect(sqlite.prepare('select userId from account').pluck().all()).toEqual([user.id])
})
