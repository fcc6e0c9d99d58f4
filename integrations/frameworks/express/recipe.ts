import express, { type RequestHandler } from 'express'
import { createUser, findUser, UserId } from '../../users.ts'

/** Validates the id in the path, and types the parameters of the next handler. */
const validateUserId: RequestHandler<{ user_id: UserId }> = (request, response, next) => {
  const { error } = UserId.safeParse(request.params.user_id)
  // Does not pass the error to `next`: Express would log it and, in production, respond without its message.
  if (error) response.status(400).json({ detail: error.message })
  else next()
}

const DOCUMENT = {
  openapi: '3.0.3',
  info: { title: 'Users', version: '1' },
  paths: {
    '/users/{user_id}': {
      get: {
        parameters: [
          {
            name: 'user_id',
            in: 'path',
            required: true,
            schema: UserId['~standard'].jsonSchema.input({ target: 'openapi-3.0' }),
          },
        ],
        responses: { 200: { description: 'The user' } },
      },
    },
  },
}

export const app = express()
  .get(
    '/users/:user_id',
    validateUserId,
    ({ params }, response) => void response.json(findUser(params.user_id)),
  )
  .post('/users', (_, response) => void response.status(201).json(createUser()))
  .get('/openapi.json', (_, response) => void response.json(DOCUMENT))
