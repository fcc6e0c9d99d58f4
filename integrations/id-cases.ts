import { defineId } from 'typed-id'
import { UserId } from './users.ts'

const ID = UserId.generate()

/** The texts that each framework and each validator receives as the id of a user. Only the first one is valid. */
export const ID_CASES = {
  'right id': ID,
  'wrong type': defineId('team').generate(),
  malformed: 'user-1',
  'upper case': `user-${UserId.toUuid(ID).toUpperCase()}`,
  'short form': UserId.toShort(ID),
}
