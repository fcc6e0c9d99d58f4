import { type BetterAuthOptions, betterAuth } from 'better-auth'
import type { Kysely } from 'kysely'
import { defineId, idRegistry } from 'typed-id'

export const UserId = defineId('user')
const ids = idRegistry([UserId, defineId('session'), defineId('account'), defineId('verification')])

/** The id columns of better-auth's tables, for `idPlugin`. Its models are named like the prefixes. */
export const ID_COLUMNS = {
  user: { id: ids.types[0] },
  session: { id: ids.types[1], userId: UserId },
  account: { id: ids.types[2], userId: UserId },
  verification: { id: ids.types[3] },
}

/** `generateId` names the model: `ids.generate('user')`. A model of a plugin needs a type in the registry, too. */
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
