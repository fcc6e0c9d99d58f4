import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export interface User {
  id: UserId
}

/** The file that defines the id types may cast. */
export const unchecked = (text: string) => text as UserId
