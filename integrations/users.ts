import { defineId, type IdOf } from 'typed-id'
import { withJsonSchema } from 'typed-id/standard'

export const UserId = withJsonSchema(defineId('user'))
export type UserId = IdOf<typeof UserId>

export interface User {
  readonly id: UserId
}

/** `never` for a type narrower than `UserId`, and for `any`, which the compiler accepts in place of every type. */
type Exactly<T> = 0 extends 1 & T ? never : [UserId] extends [T] ? T : never

/** Compiles only if the id that a framework or a validator returns has the type `UserId`, and not `string` or `any`. */
export const findUser = <Id extends UserId>(id: Id & Exactly<Id>): User => ({ id })

export const createUser = (): User => ({ id: UserId.generate() })

const ID = UserId.generate()

/** The strings that each framework and validator receives as the id of a user. Only the first is valid. */
export const ID_CASES = {
  'right id': ID,
  'wrong type': defineId('team').generate(),
  malformed: 'user-1',
  'upper case': `user-${UserId.toUuid(ID).toUpperCase()}`,
  'short form': UserId.toShort(ID),
}
