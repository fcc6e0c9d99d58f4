import { Hono } from 'hono'
import { defineId, type IdOf } from 'typed-id'
import { opaqueIds } from 'typed-id/opaque'
import { opaqueIdSchema } from 'typed-id/zod'
import * as z from 'zod'

const UserId = defineId('user')

interface User {
  id: IdOf<typeof UserId>
  name: string
}

/** Expects `users` in the order of creation. */
export function createApp(users: User[], keys: string[]) {
  const id = opaqueIdSchema(opaqueIds(UserId, { keys }))
  const User = z.object({ id, name: z.string() })
  const Path = z.object({ id })
  const Query = z.object({ after: id.optional() })

  return new Hono()
    .get('/users', (c) => {
      const query = Query.safeParse(c.req.query())
      if (!query.success) return c.json(query.error.issues, 422)
      const { after = '' } = query.data
      const page = users.filter((user) => user.id > after)
      return c.json(z.encode(z.array(User), page))
    })
    .get('/users/:id', (c) => {
      const path = Path.safeParse(c.req.param())
      const user = users.find((user) => user.id === path.data?.id)
      return user ? c.json(z.encode(User, user)) : c.notFound()
    })
}
