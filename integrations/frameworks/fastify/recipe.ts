import swagger from '@fastify/swagger'
import fastify from 'fastify'
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { defineId, type IdOf } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

const params = z.object({ user_id: idSchema(UserId) })
const findUser = (id: UserId) => ({ id }) // read your database here

export async function createApp() {
  const app = fastify().withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  const transform = jsonSchemaTransform
  await app.register(swagger, { openapi: {}, transform })

  app.get('/users/:user_id', { schema: { params } }, ({ params }) =>
    findUser(params.user_id),
  )
  app.post('/users', (_, reply) =>
    reply.code(201).send({ id: UserId.generate() }),
  )
  app.get('/openapi.json', { schema: { hide: true } }, () =>
    app.swagger(),
  )
  return app
}
