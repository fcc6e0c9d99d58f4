import type { Context } from 'hono'
import { bindingsOf } from './app-env.ts'

/**
 * Maximum number of characters that clients have not read yet, in all responses
 * of one list endpoint together.
 */
export const UNREAD_LIMIT = 32 * 1024 * 1024

/**
 * Creates a function that counts a response's characters as unread until the
 * response closes. If the total of the open responses would then exceed
 * `UNREAD_LIMIT`, the function returns false and does not count the response.
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
