import type { Context } from 'hono'
import { bindingsOf } from './app-env.ts'

export const UNREAD_LIMIT = 32 * 1024 * 1024

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
