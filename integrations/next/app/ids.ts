import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
