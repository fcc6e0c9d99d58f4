import { defineId } from 'typed-id'

/** Ids for the type tests, which pass one where another belongs. */
export const USER = defineId('user').example
export const TEAM = defineId('team').example
export const PRODUCT = defineId('product').example
export const SHORT_TEAM = defineId('team').toShort(TEAM)

/** The rest of a new user in Profile B. */
export const ADA = { name: 'Ada', email: 'ada@example.com' }
