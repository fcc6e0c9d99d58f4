import { openapi } from '@elysiajs/openapi'
import { Elysia } from 'elysia'
import { defineId, type IdOf } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

const params = z.object({ user_id: idSchema(UserId) })
const findUser = (id: UserId) => ({ id }) // read your database here

const documents = openapi({
  specPath: '/openapi.json',
  mapJsonSchema: { zod: z.toJSONSchema },
})

export const app = new Elysia()
  .use(documents)
  .get('/users/:user_id', ({ params }) => findUser(params.user_id), {
    params,
  })
  .post('/users', ({ status }) =>
    status(201, { id: UserId.generate() }),
  )
