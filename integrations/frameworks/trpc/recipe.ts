import { initTRPC } from '@trpc/server'
import {
  createOpenApiFetchHandler,
  generateOpenApiDocument,
  type OpenApiMeta,
} from 'trpc-to-openapi'
import { defineId, type IdOf } from 'typed-id'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>

const findUser = (id: UserId) => ({ id }) // read your database here

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
    .mutation(() => ({ id: UserId.generate() })),
  // The id type itself is a schema, but without documentation.
  findUndocumented: t.procedure
    .input(UserId)
    .query(({ input }) => findUser(input)),
})

export type Router = typeof router

export const handle = (req: Request) =>
  createOpenApiFetchHandler({ req, endpoint: '/', router })

export const createDocument = () =>
  generateOpenApiDocument(router, {
    title: 'Users',
    version: '1',
    baseUrl: 'http://localhost',
  })
