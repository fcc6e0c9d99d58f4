import express, { type RequestHandler } from 'express'
import { defineId, type IdOf } from 'typed-id'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

const findUser = (id: UserId) => ({ id }) // read your database here

/** Validates the id in the path, and types the next handler. */
const withUserId: RequestHandler<{ user_id: UserId }> = (
  req,
  res,
  next,
) => {
  const { error } = UserId.safeParse(req.params.user_id)
  // Express logs errors passed to `next`, and hides their messages.
  if (error) res.status(400).json({ detail: error.message })
  else next()
}

const { pattern, example } = UserId
const schema = { type: 'string', pattern, example }
const user_id = { name: 'user_id', in: 'path', required: true, schema }
const find = {
  parameters: [user_id],
  responses: { 200: { description: 'The user' } },
}

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Users', version: '1' },
  paths: { '/users/{user_id}': { get: find } },
}

export const app = express()
  .get('/users/:user_id', withUserId, ({ params }, res) => {
    res.json(findUser(params.user_id))
  })
  .post('/users', (_, res) => {
    res.status(201).json({ id: UserId.generate() })
  })
  .get('/openapi.json', (_, res) => {
    res.json(DOCUMENT)
  })
