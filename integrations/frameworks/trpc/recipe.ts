import { initTRPC } from '@trpc/server'
import { createOpenApiFetchHandler, generateOpenApiDocument, type OpenApiMeta } from 'trpc-to-openapi'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'
import { createUser, findUser, UserId } from '../../users.ts'

const t = initTRPC.meta<OpenApiMeta>().create()
const user = z.object({ id: idSchema(UserId) })

export const router = t.router({
  find: t.procedure
    .meta({ openapi: { method: 'GET', path: '/users/{user_id}' } })
    .input(z.object({ user_id: idSchema(UserId) }))
    .output(user)
    .query(({ input }) => findUser(input.user_id)),
  create: t.procedure
    .meta({ openapi: { method: 'POST', path: '/users' } })
    .input(z.void())
    .output(user)
    .mutation(createUser),
  /** If no document is needed, the id type itself is the schema, because it is a Standard Schema. */
  findUndocumented: t.procedure.input(UserId).query(({ input }) => findUser(input)),
})

export const handle = (req: Request) => createOpenApiFetchHandler({ req, endpoint: '/', router })

export const createDocument = () =>
  generateOpenApiDocument(router, { title: 'Users', version: '1', baseUrl: 'http://localhost' })
