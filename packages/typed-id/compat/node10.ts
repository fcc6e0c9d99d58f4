// A consumer with a module resolution that does not read `exports`, so it finds
// no subpath.
import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const id: UserId = UserId.generate()
