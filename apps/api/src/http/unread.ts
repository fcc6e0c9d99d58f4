import type { Context } from 'hono'
import { bindingsOf } from './app-env.ts'

/**
 * Maximum number of unread characters in all responses of a list endpoint.
 * Above the maximum, the endpoint responds 503.
 */
export const UNREAD_LIMIT = 32 * 1024 * 1024

/**
 * Creates a function that adds the characters of a response to a total until
 * the response closes. At the limit, the function returns false and adds
 * nothing.
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
