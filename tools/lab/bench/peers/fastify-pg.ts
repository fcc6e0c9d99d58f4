import pg from 'pg'
import {
  createApp,
  type Store,
  toUser,
  type UserRow,
} from './fastify-routes.ts'

const pool = new pg.Pool({
  connectionString: process.env.DATABASE_URL ?? '',
  max: 10,
})

const run = async <Row>(
  name: string,
  text: string,
  values: (string | null)[],
): Promise<Row[]> => (await pool.query({ name, text, values })).rows

interface RoleRow extends UserRow {
  role_id: string | null
  role_name: string
  description: string | null
}

/**
 * Returns a row for each role, because for one user this query takes half the
 * server time of `json_agg`. For lists of users, `json_agg` is faster.
 */
const ONE_USER = `select users.id, users.email, users.name, teams.id as team_id, teams.name as team_name,
    roles.id as role_id, roles.name as role_name, roles.description
  from users left join teams on teams.id = users.team_id
    left join user_roles on user_roles.user_id = users.id left join roles on roles.id = user_roles.role_id
  where users.id = $1`

const USERS = `select users.id, users.email, users.name,
    case when teams.id is not null then json_build_object('id', teams.id, 'name', teams.name) end as team,
    coalesce(
      (select json_agg(json_build_object('id', roles.id, 'name', roles.name, 'description', roles.description)
          order by roles.id)
        from user_roles join roles on roles.id = user_roles.role_id where user_roles.user_id = users.id),
      '[]'
    ) as roles
  from users left join teams on teams.id = users.team_id`

async function readUser(userId: string) {
  const rows = await run<RoleRow>('user', ONE_USER, [userId])
  const [first] = rows
  const roles = rows.flatMap(({ role_id, role_name, description }) =>
    role_id === null ? [] : [{ id: role_id, name: role_name, description }],
  )
  roles.sort((a, b) => (a.id < b.id ? -1 : 1))
  return first && toUser(first, roles)
}

const store: Store = {
  async findTeam(id) {
    return (
      await run<object>('team', 'select id, name from teams where id = $1', [
        id,
      ])
    )[0]
  },
  async insertTeam(id, name) {
    await run('insert-team', 'insert into teams (id, name) values ($1, $2)', [
      id,
      name,
    ])
    return { id, name }
  },
  findUser: readUser,
  listUsers: () => run('users', `${USERS} order by users.id`, []),
  listMembers: (team) =>
    run('members', `${USERS} where users.team_id = $1 order by users.id`, [
      team,
    ]),
  async changeUser(id, name, team) {
    await run(
      'change-user',
      'update users set name = coalesce($2, name), team_id = coalesce($3, team_id) where id = $1',
      [id, name, team],
    )
    return readUser(id)
  },
  async assignRole(user, role) {
    await run(
      'assign-role',
      'insert into user_roles (user_id, role_id) values ($1, $2) on conflict do nothing',
      [user, role],
    )
    return readUser(user)
  },
}

await createApp(store).listen({
  port: Number(process.env.PORT),
  host: '127.0.0.1',
})
