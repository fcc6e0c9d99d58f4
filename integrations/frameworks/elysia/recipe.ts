import { openapi } from '@elysiajs/openapi'
import { Elysia } from 'elysia'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'
import { createUser, findUser, UserId } from '../../users.ts'

const params = z.object({ user_id: idSchema(UserId) })

export const app = new Elysia()
  .use(openapi({ specPath: '/openapi.json', mapJsonSchema: { zod: z.toJSONSchema } }))
  .get('/users/:user_id', ({ params }) => findUser(params.user_id), { params })
  .post('/users', ({ status }) => status(201, createUser()))
