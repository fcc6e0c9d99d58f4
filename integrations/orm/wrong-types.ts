import { eq } from 'drizzle-orm'
import * as drizzle from './drizzle/recipe.ts'
import * as kysely from './kysely/recipe.ts'
import * as mikro from './mikro-orm/recipe.ts'
import * as prisma from './prisma/recipe.ts'
import * as typeorm from './typeorm/recipe.ts'

const team = drizzle.TeamId.example

export async function drizzleTypes() {
  // @ts-expect-error: a team is not a user
  eq(drizzle.users.id, team)
  const user = drizzle.UserId.example
  // @ts-expect-error: a user is not a team
  drizzle.db.insert(drizzle.users).values({ name: 'Ada', teamId: user })
  // @ts-expect-error: the id of the user is not the id of a team
  ;(await drizzle.findUser(user))?.id satisfies typeof team | undefined
}

export function kyselyTypes() {
  // @ts-expect-error: a team is not a user
  kysely.db.selectFrom('users').where('id', '=', team)
  // @ts-expect-error: a user is not a team
  kysely.db.updateTable('users').set({ team_id: kysely.UserId.example })
  // @ts-expect-error: a string has to be parsed first
  kysely.db.updateTable('users').set({ team_id: 'team-1' as string })
}

export async function prismaTypes() {
  const { db, UserId, TeamId } = prisma
  const [user, team] = [UserId.example, TeamId.example]
  // @ts-expect-error: findMany
  await db.user.findMany({ where: { id: team } })
  // @ts-expect-error: a list
  await db.user.findMany({ where: { id: { in: [team] } } })
  // @ts-expect-error: findUnique
  await db.user.findUnique({ where: { id: team } })
  // @ts-expect-error: a foreign key of a new record
  await db.user.create({ data: { name: 'Ada', teamId: user } })
  // @ts-expect-error: an update
  await db.user.update({ where: { id: user }, data: { teamId: user } })
  const where = { id: team }
  // @ts-expect-error: connect
  await db.team.update({ where, data: { users: { connect: where } } })
  // @ts-expect-error: a string that nothing has checked
  await db.user.findUnique({ where: { id: 'user-1' as string } })

  await db.user.findMany({
    where: { id: { in: [user] }, teamId: { not: team } },
  })
  await db.user.create({ data: { id: user, name: 'Ada', teamId: team } })
  await db.user.update({ where: { id: user }, data: { teamId: { set: team } } })
  await db.team.update({ where, data: { users: { connect: { id: user } } } })
  const include = { team: true }
  const found = await db.user.findUnique({ where: { id: user }, include })
  found?.team?.id satisfies prisma.TeamId | undefined
}

export async function typeormTypes() {
  // @ts-expect-error: a team is not a user
  void typeorm.users.findOneBy({ id: team })
  // Compiles, although the id is wrong: the parameter type, TypeORM's
  // `DeepPartial`, makes the brand of an id optional.
  typeorm.users.create({ id: team })
  const user = await typeorm.users.findOneByOrFail({
    id: typeorm.UserId.example,
  })
  // @ts-expect-error: a user is not a team
  user.teamId = user.id
}

export function mikroTypes() {
  // @ts-expect-error: a team is not a user
  mikro.db.em.findOne(mikro.User, { id: team })
  // @ts-expect-error: a user is not a team
  mikro.db.em.nativeUpdate(mikro.User, {}, { teamId: mikro.UserId.example })
}
