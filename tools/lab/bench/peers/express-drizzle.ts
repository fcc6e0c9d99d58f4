import { randomUUID } from 'node:crypto'
import { hash } from '@node-rs/argon2'
import Sqlite from 'better-sqlite3'
import { asc, eq } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/better-sqlite3'
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres'
import * as postgres from 'drizzle-orm/pg-core'
import * as sqlite from 'drizzle-orm/sqlite-core'
import express, {
  type NextFunction,
  type Request,
  type Response,
} from 'express'
import pg from 'pg'
import { v7 as uuid } from 'uuid'
import { z } from 'zod'

/** A peer with common choices: Express, Drizzle, zod. */
const url = process.env.DATABASE_URL ?? ''
const isPostgres = url.startsWith('postgres')

function openSqlite() {
  const file = new Sqlite(url.replace('sqlite:', ''))
  file.pragma('journal_mode = WAL')
  file.pragma('synchronous = FULL')
  file.pragma('foreign_keys = ON')
  return drizzle(file)
}

// The builders of both databases have all methods that this file uses, so both
// are typed as builders of SQLite.
const db = isPostgres
  ? (drizzlePostgres(
      new pg.Pool({ connectionString: url, max: 10 }),
    ) as unknown as ReturnType<typeof openSqlite>)
  : openSqlite()
const { primaryKey, text } = (isPostgres ? postgres : sqlite) as typeof sqlite
const createTable = isPostgres
  ? (postgres.pgTable as unknown as typeof sqlite.sqliteTable)
  : sqlite.sqliteTable

const teams = createTable('teams', {
  id: text().primaryKey(),
  name: text().notNull(),
})
const roles = createTable('roles', {
  id: text().primaryKey(),
  name: text().notNull(),
  description: text(),
})
const users = createTable('users', {
  id: text().primaryKey(),
  email: text().notNull(),
  normalized_email: text().notNull(),
  name: text().notNull(),
  password_hash: text().notNull(),
  team_id: text().references(() => teams.id),
})
const userRoles = createTable(
  'user_roles',
  { user_id: text().notNull(), role_id: text().notNull() },
  (table) => [primaryKey({ columns: [table.user_id, table.role_id] })],
)

const selectUsers = () =>
  db
    .select({
      id: users.id,
      email: users.email,
      name: users.name,
      team: { id: teams.id, name: teams.name },
    })
    .from(users)
    .leftJoin(teams, eq(teams.id, users.team_id))
const selectRoles = () =>
  db
    .select({
      user_id: userRoles.user_id,
      role: { id: roles.id, name: roles.name, description: roles.description },
    })
    .from(userRoles)
    .innerJoin(roles, eq(roles.id, userRoles.role_id))
type UserRow = Awaited<ReturnType<typeof selectUsers>>[number]
const toUser = (row: UserRow, assigned: { role: unknown }[]) => ({
  ...row,
  roles: assigned.map(({ role }) => role),
})

async function readUser(id: string) {
  const [row] = await selectUsers().where(eq(users.id, id))
  return (
    row &&
    toUser(
      row,
      await selectRoles()
        .where(eq(userRoles.user_id, id))
        .orderBy(asc(roles.id)),
    )
  )
}

const id = (prefix: string) =>
  z
    .string()
    .regex(
      new RegExp(`^${prefix}-[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`),
      `Expected ${prefix}-<lowercase uuid>`,
    )

class Invalid extends Error {
  readonly detail: unknown
  constructor(place: string, error: z.ZodError) {
    super('invalid')
    this.detail = error.issues.map(({ path, message }) => ({
      type: 'string_pattern_mismatch',
      loc: [place, ...path],
      msg: message,
    }))
  }
}
function validate<T extends z.ZodType>(
  place: string,
  schema: T,
  value: unknown,
): z.infer<T> {
  const result = schema.safeParse(value)
  if (!result.success) throw new Invalid(place, result.error)
  return result.data
}

const app = express()
app.use((request, response, next) => {
  const given = request.get('x-request-id') ?? ''
  response
    .set('cache-control', 'no-store')
    .set('x-content-type-options', 'nosniff')
  response.set(
    'x-request-id',
    /^[\w.:-]{1,64}$/.test(given) ? given : randomUUID(),
  )
  next()
})
app.use(express.json({ limit: '1mb' }))

app.get('/teams/:team_id', async (request, response) => {
  const { team_id } = validate(
    'path',
    z.object({ team_id: id('team') }),
    request.params,
  )
  const [team] = await db.select().from(teams).where(eq(teams.id, team_id))
  if (team) response.json(team)
  else response.status(404).json({ detail: 'Team not found' })
})
const TeamCreate = z.object({ name: z.string().max(100) })
app.post('/teams', async (request, response) => {
  const { name } = validate('body', TeamCreate, request.body)
  const team = { id: `team-${uuid()}`, name }
  await db.insert(teams).values(team)
  response.status(201).json(team)
})
const UserPath = z.object({ user_id: id('user') })
app.get('/users/:user_id', async (request, response) => {
  const { user_id } = validate('path', UserPath, request.params)
  const user = await readUser(user_id)
  if (user) response.json(user)
  else response.status(404).json({ detail: 'User not found' })
})
const UserQuery = z.object({ team_id: id('team').optional() })
app.get('/users', async (request, response) => {
  const { team_id } = validate('query', UserQuery, request.query)
  const rows = team_id
    ? await selectUsers()
        .where(eq(users.team_id, team_id))
        .orderBy(asc(users.id))
    : await selectUsers().orderBy(asc(users.id))
  const assigned = team_id
    ? await selectRoles()
        .innerJoin(users, eq(users.id, userRoles.user_id))
        .where(eq(users.team_id, team_id))
        .orderBy(asc(roles.id))
    : await selectRoles().orderBy(asc(userRoles.user_id), asc(roles.id))
  const byUser = Map.groupBy(assigned, ({ user_id }) => user_id)
  response.json(rows.map((row) => toUser(row, byUser.get(row.id) ?? [])))
})
const UserUpdate = z.object({
  name: z.string().max(100).nullish(),
  team_id: id('team').nullish(),
})
app.patch('/users/:user_id', async (request, response) => {
  const { user_id } = validate('path', UserPath, request.params)
  const { name, team_id } = validate('body', UserUpdate, request.body)
  const change = { ...(name && { name }), ...(team_id && { team_id }) }
  if (Object.keys(change).length > 0)
    await db.update(users).set(change).where(eq(users.id, user_id))
  const user = await readUser(user_id)
  if (user) response.json(user)
  else response.status(404).json({ detail: 'User not found' })
})
const AssignmentPath = z.object({ user_id: id('user'), role_id: id('role') })
app.post('/users/:user_id/roles/:role_id', async (request, response) => {
  const assignment = validate('path', AssignmentPath, request.params)
  await db.insert(userRoles).values(assignment).onConflictDoNothing()
  response.json(await readUser(assignment.user_id))
})
const UserCreate = z.object({
  email: z.email().max(255),
  name: z.string().max(100),
  password: z.string().min(1),
  team_id: id('team').nullish(),
})
app.post('/users', async (request, response) => {
  const { password, ...user } = validate('body', UserCreate, request.body)
  const password_hash = await hash(password, {
    memoryCost: 19_456,
    timeCost: 2,
    parallelism: 1,
  })
  const created = `user-${uuid()}`
  const normalized_email = user.email.toLowerCase()
  await db
    .insert(users)
    .values({ id: created, ...user, normalized_email, password_hash })
  response.status(201).json(await readUser(created))
})

app.use((error: unknown, _: Request, response: Response, __: NextFunction) => {
  if (error instanceof Invalid)
    response.status(422).json({ detail: error.detail })
  else response.status(500).json({ detail: 'Internal Server Error' })
})

app.listen(Number(process.env.PORT), '127.0.0.1')
