import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const TeamId = defineId('team')
export type TeamId = IdOf<typeof TeamId>

export const NoteId = defineId('note')
export type NoteId = IdOf<typeof NoteId>

const ID = UserId.generate()

export const ID_CASES = {
  'right id': ID,
  'wrong type': TeamId.generate(),
  malformed: 'user-1',
  'upper case': `user-${UserId.toUuid(ID).toUpperCase()}`,
  'short form': UserId.toShort(ID),
}
