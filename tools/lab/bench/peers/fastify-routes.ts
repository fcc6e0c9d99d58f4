import { randomUUID } from 'node:crypto'
import Fastify from 'fastify'
import { v7 as uuid } from 'uuid'

type Awaitable<T> = T | Promise<T>
type Nullable<T> = T | null

/**
 * The functions in which the two Fastify peers differ. Each returns undefined
 * if no row has the id.
 */
export interface Store {
  findTeam(id: string): Awaitable<object | undefined>
  insertTeam(id: string, name: string): Promise<object>
  findUser(id: string): Awaitable<object | undefined>
  listUsers(): Awaitable<object>
  listMembers(teamId: string): Awaitable<object>
  changeUser(
    id: string,
    name: Nullable<string>,
    teamId: Nullable<string>,
  ): Promise<object | undefined>
  assignRole(userId: string, roleId: string): Promise<object | undefined>
}

/** A user with its team, which both peers select by a join. */
export interface UserRow {
  id: string
  email: string
  name: string
  team_id: string | null
  team_name: string | null
}

export const toUser = (
  { id, email, name, team_id, team_name }: UserRow,
  roles: object[],
) => ({
  id,
  email,
  name,
  team: team_id === null ? null : { id: team_id, name: team_name },
  roles,
})

const id = (prefix: string) => ({
  type: 'string',
  pattern: `^${prefix}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
})
const object = (
  properties: Record<string, unknown>,
  required = Object.keys(properties),
) => ({
  type: 'object',
  properties,
  required,
})
const team = object({ id: { type: 'string' }, name: { type: 'string' } })
const role = object({
  id: { type: 'string' },
  name: { type: 'string' },
  description: { type: ['string', 'null'] },
})
const user = object({
  id: { type: 'string' },
  email: { type: 'string' },
  name: { type: 'string' },
  team: { ...team, nullable: true },
  roles: { type: 'array', items: role },
})

/**
 * Creates the app of both Fastify peers, with JSON schemas for requests and
 * compiled serializers for responses.
 */
export function createApp(store: Store) {
  const app = Fastify({
    logger: process.env.LOG_LEVEL === 'info',
    ajv: { customOptions: { allErrors: true } },
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)
        ? given
        : randomUUID(),
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('content-type', 'application/json; charset=utf-8')
    reply
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
    reply.header('x-request-id', request.id)
    done()
  })
  app.setErrorHandler(
    (
      error: {
        validation?: { keyword: string; instancePath: string }[]
        validationContext?: string
      },
      _,
      reply,
    ) => {
      if (!error.validation)
        return reply.code(500).send({ detail: 'Internal Server Error' })
      const place =
        error.validationContext === 'params'
          ? 'path'
          : (error.validationContext ?? 'body')
      const detail = error.validation.map(({ keyword, instancePath }) => {
        const loc = [place, ...instancePath.split('/').slice(1)]
        if (keyword === 'maxLength')
          return {
            type: 'string_too_long',
            loc,
            msg: 'Expected a shorter name',
          }
        const prefix = loc.at(-1)?.replace('_id', '')
        return {
          type: 'string_pattern_mismatch',
          loc,
          msg: `Expected ${prefix}-<lowercase uuid>`,
        }
      })
      return reply.code(422).send({ detail })
    },
  )

  const notFound = (what: string) => ({ detail: `${what} not found` })

  app.get<{ Params: { team_id: string } }>(
    '/teams/:team_id',
    {
      schema: {
        params: object({ team_id: id('team') }),
        response: { 200: team },
      },
    },
    async (request, reply) =>
      (await store.findTeam(request.params.team_id)) ??
      reply.code(404).send(notFound('Team')),
  )
  app.post<{ Body: { name: string } }>(
    '/teams',
    {
      schema: {
        body: object({ name: { type: 'string', maxLength: 100 } }),
        response: { 201: team },
      },
    },
    async (request, reply) => {
      const id = `team-${uuid()}`
      reply.code(201).header('location', `teams/${id}`)
      return store.insertTeam(id, request.body.name)
    },
  )
  app.get<{ Params: { user_id: string } }>(
    '/users/:user_id',
    {
      schema: {
        params: object({ user_id: id('user') }),
        response: { 200: user },
      },
    },
    async (request, reply) =>
      (await store.findUser(request.params.user_id)) ??
      reply.code(404).send(notFound('User')),
  )
  app.get<{ Querystring: { team_id?: string } }>(
    '/users',
    {
      schema: {
        querystring: object({ team_id: id('team') }, []),
        response: { 200: { type: 'array', items: user } },
      },
    },
    async ({ query: { team_id } }) =>
      team_id === undefined ? store.listUsers() : store.listMembers(team_id),
  )
  app.patch<{
    Params: { user_id: string }
    Body: { name?: Nullable<string>; team_id?: Nullable<string> }
  }>(
    '/users/:user_id',
    {
      schema: {
        params: object({ user_id: id('user') }),
        body: object(
          {
            name: { type: ['string', 'null'], maxLength: 100 },
            team_id: { ...id('team'), nullable: true },
          },
          [],
        ),
        response: { 200: user },
      },
    },
    async ({ params, body }, reply) =>
      (await store.changeUser(
        params.user_id,
        body.name ?? null,
        body.team_id ?? null,
      )) ?? reply.code(404).send(notFound('User')),
  )
  app.post<{ Params: { user_id: string; role_id: string } }>(
    '/users/:user_id/roles/:role_id',
    {
      schema: {
        params: object({ user_id: id('user'), role_id: id('role') }),
        response: { 200: user },
      },
    },
    async ({ params }) => store.assignRole(params.user_id, params.role_id),
  )
  return app
}
