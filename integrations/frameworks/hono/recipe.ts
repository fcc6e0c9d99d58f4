import { Hono } from 'hono'
import {
  describeRoute,
  openAPIRouteHandler,
  validator,
} from 'hono-openapi'
import { defineId, type IdOf } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

const params = z.object({ user_id: idSchema(UserId) })
const findUser = (id: UserId) => ({ id }) // read your database here

/** `validator` validates the request and documents the schema. */
export const app = new Hono()
  .get(
    '/users/:user_id',
    describeRoute({ summary: 'Get a user' }),
    validator('param', params),
    (c) => c.json(findUser(c.req.valid('param').user_id)),
  )
  .post('/users', (c) => c.json({ id: UserId.generate() }, 201))

export type AppType = typeof app

app.get('/openapi.json', openAPIRouteHandler(app))
