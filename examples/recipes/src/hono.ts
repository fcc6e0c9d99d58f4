import { zValidator } from '@hono/zod-validator'
import { Hono } from 'hono'
import { validator } from 'hono/validator'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'
import { TeamId, UserId } from './ids.ts'

/** Accepts a path parameter in either form, with Hono's validator. The handler receives the standard form as a UserId. */
const userId = validator('param', (params, c) => {
  const { success, data, error } = UserId.safeParseAny(params.user_id)
  return success ? { user_id: data } : c.json({ detail: error.message }, 422)
})

/** Validates the body with zod. */
const change = zValidator('json', z.object({ team_id: idSchema(TeamId).nullable() }))

export const app = new Hono().patch('/users/:user_id', userId, change, (c) => {
  const { user_id } = c.req.valid('param')
  const { team_id } = c.req.valid('json')
  return c.json({ id: user_id, team_id })
})
