import { defineId } from 'typed-id'

export const UserId = defineId('user')

const ID = UserId.generate()

/** The strings that each framework and validator receives as the id of a user. Only the first is valid. */
export const ID_CASES = {
  'right id': ID,
  'wrong type': defineId('team').generate(),
  malformed: 'user-1',
  'upper case': `user-${UserId.toUuid(ID).toUpperCase()}`,
  'short form': UserId.toShort(ID),
}
