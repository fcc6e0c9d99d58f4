import { type BetterAuthOptions, betterAuth } from 'better-auth'
import type { Kysely } from 'kysely'
import { defineId, idRegistry } from 'typed-id'

export const UserId = defineId('user')
const SessionId = defineId('session')
const AccountId = defineId('account')
const VerificationId = defineId('verification')
const ids = idRegistry([UserId, SessionId, AccountId, VerificationId])

/** Models have the names of the prefixes, also the models of plugins. */
export function options(db: Kysely<never>): BetterAuthOptions {
  return {
    secret: 'a secret of at least 32 characters',
    baseURL: 'http://localhost:3000',
    database: { db, type: 'sqlite' },
    emailAndPassword: { enabled: true },
    advanced: {
      database: {
        generateId: ({ model }) => ids.generate(model as 'user'),
      },
    },
  }
}

export const createAuth = (db: Kysely<never>) => betterAuth(options(db))
