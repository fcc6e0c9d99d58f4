import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const TeamId = defineId('team')
export type TeamId = IdOf<typeof TeamId>

/** A third id type, for writes that are nested three levels deep. */
export const NoteId = defineId('note')
export type NoteId = IdOf<typeof NoteId>
