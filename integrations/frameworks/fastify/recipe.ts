import swagger from '@fastify/swagger'
import fastify from 'fastify'
import {
  jsonSchemaTransform,
  serializerCompiler,
  validatorCompiler,
  type ZodTypeProvider,
} from 'fastify-type-provider-zod'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'
import { createUser, findUser, UserId } from '../../users.ts'

const params = z.object({ user_id: idSchema(UserId) })

export async function createApp() {
  const app = fastify().withTypeProvider<ZodTypeProvider>()
  app.setValidatorCompiler(validatorCompiler)
  app.setSerializerCompiler(serializerCompiler)
  await app.register(swagger, { openapi: {}, transform: jsonSchemaTransform })

  app.get('/users/:user_id', { schema: { params } }, ({ params }) => findUser(params.user_id))
  app.post('/users', (_, reply) => reply.code(201).send(createUser()))
  app.get('/openapi.json', { schema: { hide: true } }, () => app.swagger())
  return app
}
