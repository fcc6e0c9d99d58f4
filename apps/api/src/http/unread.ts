import type { Context } from 'hono'
import { bindingsOf } from './app-env.ts'

/**
 * Maximum total length, in characters, of a list endpoint's open responses.
 * Above the maximum, the endpoint responds 503.
 */
export const UNREAD_LIMIT = 32 * 1024 * 1024

/**
 * Creates a function that adds the length of a response to a total, and
 * subtracts the length when the response closes. If the total would exceed the
 * limit, the function returns false and adds nothing.
 */
export function createUnreadCount() {
  let unread = 0
  return (c: Context, characters: number): boolean => {
    if (unread + characters > UNREAD_LIMIT) return false
    const { outgoing } = bindingsOf(c)
    if (outgoing?.destroyed === false) {
      unread += characters
      outgoing.once('close', () => {
        unread -= characters
      })
    }
    return true
  }
}
