import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const TeamId = defineId('team')
export type TeamId = IdOf<typeof TeamId>

/** A third id type, for writes that are nested three levels deep. */
export const NoteId = defineId('note')
export type NoteId = IdOf<typeof NoteId>

const ID = UserId.generate()

/**
 * The strings that each framework and validator receives as the id of a user.
 * Only the first string is valid.
 */
export const ID_CASES = {
  'right id': ID,
  'wrong type': TeamId.generate(),
  malformed: 'user-1',
  'upper case': `user-${UserId.toUuid(ID).toUpperCase()}`,
  'short form': UserId.toShort(ID),
}
