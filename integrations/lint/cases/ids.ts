import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export interface User {
  id: UserId
}

/** The lint rules allow this cast, because this file defines the id type. */
export const unchecked = (text: string) => text as UserId
