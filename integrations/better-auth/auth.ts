import { type BetterAuthOptions, betterAuth } from 'better-auth'
import type { Kysely } from 'kysely'
import { defineId, idRegistry } from 'typed-id'

export const UserId = defineId('user')
const SessionId = defineId('session')
const AccountId = defineId('account')
const VerificationId = defineId('verification')
const ids = idRegistry([UserId, SessionId, AccountId, VerificationId])

/** The id columns of better-auth's tables, for `idPlugin`. Its models are named like the prefixes. */
export const ID_COLUMNS = {
  user: { id: UserId },
  session: { id: SessionId, userId: UserId },
  // `accountId` is the account's id at the provider. For passwords, better-auth writes the id of the user as text.
  account: { id: AccountId, userId: UserId, accountId: null },
  // `value` is the id of the user, for the reset of a password and the deletion of a user.
  verification: { id: VerificationId, value: null },
}

/** better-auth passes the model's name to `generateId`, so a model of a plugin needs a type in the registry, too. */
export function options(db: Kysely<never>): BetterAuthOptions {
  return {
    secret: 'a secret of at least 32 characters',
    baseURL: 'http://localhost:3000',
    database: { db, type: 'sqlite' },
    emailAndPassword: { enabled: true },
    advanced: { database: { generateId: ({ model }) => ids.generate(model as 'user') } },
  }
}

export const createAuth = (db: Kysely<never>) => betterAuth(options(db))
