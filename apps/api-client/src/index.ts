import type { AppType } from 'api/app.ts'
import { hc } from 'hono/client'

/**
 * Creates a typed client of the API (Profile A), on Hono's `hc`. The
 * declarations of this package contain the types of all endpoints, so they do
 * not import the service.
 *
 * @example
 * const api = createClient('http://127.0.0.1:3000')
 * const response = await api.users[':user_id'].$get({ param: { user_id } })
 */
export const createClient = (...args: Parameters<typeof hc>) =>
  hc<AppType>(...args)
