import Sqlite from 'better-sqlite3'
import {
  createApp,
  type Store,
  toUser,
  type UserRow,
} from './fastify-routes.ts'

const db = new Sqlite(process.env.DATABASE_URL?.replace('sqlite:', ''))
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
db.pragma('foreign_keys = ON')

const insertTeam = db.prepare('insert into teams (id, name) values (?, ?)')
const changeUser = db.prepare(
  'update users set name = coalesce(?, name), team_id = coalesce(?, team_id) where id = ?',
)
const assignRole = db.prepare(
  'insert into user_roles (user_id, role_id) values (?, ?) on conflict do nothing',
)

const USER = `select users.id, users.email, users.name, users.team_id, teams.name as team_name
  from users left join teams on teams.id = users.team_id`
const ROLES = `select user_roles.user_id, roles.id, roles.name, roles.description
  from user_roles join roles on roles.id = user_roles.role_id`
interface RoleRow {
  user_id: string
  id: string
  name: string
  description: string | null
}

const read = <Row>(text: string) => db.prepare<string[], Row>(text)
const findTeam = read<object>('select id, name from teams where id = ?')
const findUser = read<UserRow>(`${USER} where users.id = ?`)
const allUsers = read<UserRow>(`${USER} order by users.id`)
const members = read<UserRow>(
  `${USER} where users.team_id = ? order by users.id`,
)
const rolesOf = read<RoleRow>(
  `${ROLES} where user_roles.user_id = ? order by roles.id`,
)
const allRoles = read<RoleRow>(`${ROLES} order by user_roles.user_id, roles.id`)

function readUser(id: string) {
  const row = findUser.get(id)
  return row && toUser(row, rolesOf.all(id))
}

const store: Store = {
  findTeam: (id) => findTeam.get(id),
  async insertTeam(id, name) {
    insertTeam.run(id, name)
    return { id, name }
  },
  findUser: readUser,
  listUsers() {
    const roles = Map.groupBy(allRoles.all(), (role) => role.user_id)
    return allUsers.all().map((row) => toUser(row, roles.get(row.id) ?? []))
  },
  listMembers: (teamId) =>
    members.all(teamId).map((row) => toUser(row, rolesOf.all(row.id))),
  async changeUser(id, name, teamId) {
    changeUser.run(name, teamId, id)
    return readUser(id)
  },
  async assignRole(userId, roleId) {
    assignRole.run(userId, roleId)
    return readUser(userId)
  },
}

await createApp(store).listen({
  port: Number(process.env.PORT),
  host: '127.0.0.1',
})
