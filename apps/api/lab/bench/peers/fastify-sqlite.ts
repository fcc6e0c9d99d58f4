import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import Sqlite from 'better-sqlite3'
import Fastify from 'fastify'
import { v7 as uuid } from 'uuid'

/** A peer optimised by hand: Fastify, JSON schemas for requests and responses, prepared statements. */
const db = new Sqlite(process.env.DATABASE_URL?.replace('sqlite:', ''))
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.pragma('foreign_keys = ON')

interface UserRow {
  id: string
  email: string
  name: string
  team_id: string | null
  team_name: string | null
}
const USER = `select users.id, users.email, users.name, users.team_id, teams.name as team_name
  from users left join teams on teams.id = users.team_id`
const ROLES = `select user_roles.user_id, roles.id, roles.name, roles.description
  from user_roles join roles on roles.id = user_roles.role_id`
type RoleRow = { user_id: string; id: string; name: string; description: string | null }

const findTeam = db.prepare('select id, name from teams where id = ?')
const insertTeam = db.prepare('insert into teams (id, name) values (?, ?)')
const findUser = db.prepare<[string], UserRow>(`${USER} where users.id = ?`)
const allUsers = db.prepare<[], UserRow>(`${USER} order by users.id`)
const members = db.prepare<[string], UserRow>(`${USER} where users.team_id = ? order by users.id`)
const rolesOf = db.prepare<[string], RoleRow>(`${ROLES} where user_roles.user_id = ? order by roles.id`)
const allRoles = db.prepare<[], RoleRow>(`${ROLES} order by user_roles.user_id, roles.id`)
const insertUser = db.prepare(
  'insert into users (id, email, normalized_email, name, password_hash, team_id) values (?, ?, lower(?), ?, ?, ?)',
)
const changeUser = db.prepare(
  'update users set name = coalesce(?, name), team_id = coalesce(?, team_id) where id = ?',
)
const insertRole = db.prepare(
  'insert into user_roles (user_id, role_id) values (?, ?) on conflict do nothing',
)

function toUser(row: UserRow, roles: RoleRow[]) {
  const { id, email, name, team_id, team_name } = row
  return { id, email, name, team: team_id === null ? null : { id: team_id, name: team_name }, roles }
}
function readUser(id: string) {
  const row = findUser.get(id)
  return row && toUser(row, rolesOf.all(id))
}

const id = (prefix: string) => ({
  type: 'string',
  pattern: `^${prefix}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
})
const object = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
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

const app = Fastify({
  ajv: { customOptions: { allErrors: true } },
  genReqId: ({ headers: { 'x-request-id': given } }) =>
    typeof given === 'string' && /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID(),
})
app.addHook('onRequest', (request, reply, done) => {
  reply.header('cache-control', 'no-store').header('x-request-id', request.id)
  done()
})
app.setErrorHandler(
  (error: { validation?: { instancePath: string }[]; validationContext?: string }, _, reply) => {
    if (!error.validation) return reply.code(500).send({ detail: 'Internal Server Error' })
    const place = error.validationContext === 'params' ? 'path' : (error.validationContext ?? 'body')
    const detail = error.validation.map(({ instancePath }) => {
      const loc = [place, ...instancePath.split('/').slice(1)]
      const prefix = loc.at(-1)?.replace('_id', '')
      return { type: 'string_pattern_mismatch', loc, msg: `Expected ${prefix}-<lowercase uuid>` }
    })
    return reply.code(422).send({ detail })
  },
)

const notFound = (what: string) => ({ detail: `${what} not found` })

app.get<{ Params: { team_id: string } }>(
  '/teams/:team_id',
  { schema: { params: object({ team_id: id('team') }), response: { 200: team } } },
  async (request, reply) => findTeam.get(request.params.team_id) ?? reply.code(404).send(notFound('Team')),
)
app.post<{ Body: { name: string } }>(
  '/teams',
  { schema: { body: object({ name: { type: 'string', maxLength: 100 } }), response: { 201: team } } },
  async (request, reply) => {
    const created = { id: `team-${uuid()}`, name: request.body.name }
    insertTeam.run(created.id, created.name)
    return reply.code(201).send(created)
  },
)
app.get<{ Params: { user_id: string } }>(
  '/users/:user_id',
  { schema: { params: object({ user_id: id('user') }), response: { 200: user } } },
  async (request, reply) => readUser(request.params.user_id) ?? reply.code(404).send(notFound('User')),
)
app.get<{ Querystring: { team_id?: string } }>(
  '/users',
  {
    schema: {
      querystring: object({ team_id: id('team') }, []),
      response: { 200: { type: 'array', items: user } },
    },
  },
  async (request) => {
    const { team_id } = request.query
    if (team_id !== undefined) return members.all(team_id).map((row) => toUser(row, rolesOf.all(row.id)))
    const roles = Map.groupBy(allRoles.all(), (role) => role.user_id)
    return allUsers.all().map((row) => toUser(row, roles.get(row.id) ?? []))
  },
)
app.patch<{ Params: { user_id: string }; Body: { name?: string | null; team_id?: string | null } }>(
  '/users/:user_id',
  {
    schema: {
      params: object({ user_id: id('user') }),
      body: object(
        { name: { type: ['string', 'null'], maxLength: 100 }, team_id: { ...id('team'), nullable: true } },
        [],
      ),
      response: { 200: user },
    },
  },
  async (request, reply) => {
    changeUser.run(request.body.name || null, request.body.team_id ?? null, request.params.user_id)
    return readUser(request.params.user_id) ?? reply.code(404).send(notFound('User'))
  },
)
app.post<{ Params: { user_id: string; role_id: string } }>(
  '/users/:user_id/roles/:role_id',
  { schema: { params: object({ user_id: id('user'), role_id: id('role') }), response: { 200: user } } },
  async (request) => {
    insertRole.run(request.params.user_id, request.params.role_id)
    return readUser(request.params.user_id)
  },
)
app.post<{ Body: { email: string; name: string; password: string; team_id?: string | null } }>(
  '/users',
  {
    schema: {
      body: object(
        {
          email: { type: 'string', format: 'email', maxLength: 255 },
          name: { type: 'string', maxLength: 100 },
          password: { type: 'string', minLength: 1 },
          team_id: { ...id('team'), nullable: true },
        },
        ['email', 'name', 'password'],
      ),
      response: { 201: user },
    },
  },
  async (request, reply) => {
    const { email, name, password, team_id = null } = request.body
    const created = `user-${uuid()}`
    insertUser.run(
      created,
      email,
      email,
      name,
      await hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }),
      team_id,
    )
    return reply.code(201).send(readUser(created))
  },
)

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' })
