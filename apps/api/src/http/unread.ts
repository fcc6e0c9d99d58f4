import type { Context } from 'hono'
import { bindingsOf } from './app-env.ts'

/**
 * Maximum characters in all responses of a list endpoint that clients have not
 * read yet.
 */
export const UNREAD_LIMIT = 32 * 1024 * 1024

/**
 * Creates a function that counts the characters of a response until the client
 * has read it. The function returns false at the limit.
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
