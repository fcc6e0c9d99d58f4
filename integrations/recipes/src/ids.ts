import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export const TeamId = defineId('team')

export type UserId = IdOf<typeof UserId>
export type TeamId = IdOf<typeof TeamId>
