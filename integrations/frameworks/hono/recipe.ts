import { Hono } from 'hono'
import { describeRoute, openAPIRouteHandler, validator } from 'hono-openapi'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'
import { createUser, findUser, UserId } from '../../users.ts'

const params = z.object({ user_id: idSchema(UserId) })

/** `validator` of hono-openapi works like `sValidator` of @hono/standard-validator, and also documents the schema. */
export const app = new Hono()
  .get('/users/:user_id', describeRoute({ summary: 'Get a user' }), validator('param', params), (c) =>
    c.json(findUser(c.req.valid('param').user_id)),
  )
  .post('/users', (c) => c.json(createUser(), 201))

app.get('/openapi.json', openAPIRouteHandler(app))
