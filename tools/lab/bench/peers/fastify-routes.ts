import { randomUUID } from 'node:crypto'
import Fastify, { type FastifyReply } from 'fastify'
import { v7 as uuid } from 'uuid'

type Awaitable<T> = T | Promise<T>
type Text = string | null

export interface Store {
  findTeam(id: string): Awaitable<object | undefined>
  insertTeam(id: string, name: string): Promise<object>
  findUser(id: string): Awaitable<object | undefined>
  listUsers(): Awaitable<object>
  listMembers(teamId: string): Awaitable<object>
  changeUser(id: string, name: Text, team: Text): Promise<object | undefined>
  assignRole(userId: string, roleId: string): Promise<object | undefined>
}

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

const object = (
  properties: Record<string, unknown>,
  required = Object.keys(properties),
) => ({ type: 'object', properties, required })
const text = { type: 'string' }
const id = (prefix: string) => ({
  ...text,
  pattern: `^${prefix}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
})
const team = object({ id: text, name: text })
const role = object({
  id: text,
  name: text,
  description: { type: ['string', 'null'] },
})
const user = object({
  id: text,
  email: text,
  name: text,
  team: { ...team, nullable: true },
  roles: { type: 'array', items: role },
})
const ofUser = {
  params: object({ user_id: id('user') }),
  response: { 200: user },
}

interface Parameters {
  Params: { team_id: string; user_id: string; role_id: string }
}

interface InvalidRequest {
  validation?: { keyword: string; instancePath: string }[]
  validationContext?: string
}

export function createApp(store: Store) {
  const app = Fastify({
    ajv: { customOptions: { allErrors: true } },
    genReqId: ({ headers: { 'x-request-id': given } }) =>
      typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given)
        ? given
        : randomUUID(),
  })
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      'x-request-id': request.id,
    })
    done()
  })
  app.setErrorHandler((error: InvalidRequest, _, reply) => {
    const { validation, validationContext = 'body' } = error
    if (!validation)
      return reply.code(500).send({ detail: 'Internal Server Error' })
    const place = validationContext === 'params' ? 'path' : validationContext
    const detail = validation.map(({ keyword, instancePath }) => {
      const loc = [place, ...instancePath.split('/').slice(1)]
      const [type, msg] =
        keyword === 'maxLength'
          ? ['string_too_long', 'Expected a shorter name']
          : ['string_pattern_mismatch', 'Expected an id']
      return { type, loc, msg }
    })
    return reply.code(422).send({ detail })
  })
  const orNotFound = async (
    reading: Awaitable<object | undefined>,
    reply: FastifyReply,
    what: string,
  ) => (await reading) ?? reply.code(404).send({ detail: `${what} not found` })

  const params = object({ team_id: id('team') })
  app.get<Parameters>(
    '/teams/:team_id',
    { schema: { params, response: { 200: team } } },
    ({ params }, reply) =>
      orNotFound(store.findTeam(params.team_id), reply, 'Team'),
  )
  const body = object({ name: { ...text, maxLength: 100 } })
  app.post<{ Body: { name: string } }>(
    '/teams',
    { schema: { body, response: { 201: team } } },
    async (request, reply) => {
      const id = `team-${uuid()}`
      reply.code(201).header('location', `teams/${id}`)
      return store.insertTeam(id, request.body.name)
    },
  )
  app.get<Parameters>(
    '/users/:user_id',
    { schema: ofUser },
    ({ params }, reply) =>
      orNotFound(store.findUser(params.user_id), reply, 'User'),
  )
  const querystring = object({ team_id: id('team') }, [])
  const users = { type: 'array', items: user }
  app.get<{ Querystring: { team_id?: string } }>(
    '/users',
    { schema: { querystring, response: { 200: users } } },
    async ({ query: { team_id } }) =>
      team_id === undefined ? store.listUsers() : store.listMembers(team_id),
  )
  const changes = {
    name: { type: ['string', 'null'], maxLength: 100 },
    team_id: { ...id('team'), nullable: true },
  }
  app.patch<Parameters & { Body: { name?: Text; team_id?: Text } }>(
    '/users/:user_id',
    { schema: { ...ofUser, body: object(changes, []) } },
    ({ params, body: { name = null, team_id = null } }, reply) => {
      const changing = store.changeUser(params.user_id, name, team_id)
      return orNotFound(changing, reply, 'User')
    },
  )
  const pair = object({ user_id: id('user'), role_id: id('role') })
  app.post<Parameters>(
    '/users/:user_id/roles/:role_id',
    { schema: { ...ofUser, params: pair } },
    async ({ params }) => store.assignRole(params.user_id, params.role_id),
  )
  return app
}
