import { and, asc, eq, inArray, isNull, lte, relations, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import { customType, pgTable, text } from 'drizzle-orm/pg-core'
import pg from 'pg'
import type { IdStorage } from 'typed-id/codec'
import { idColumn } from 'typed-id/drizzle'
import type { Server } from '../../databases.ts'
import type { Store, User } from '../cases.ts'
import { TeamId, UserId } from '../ids.ts'

export function defineTables(storage: IdStorage) {
  const userId = idColumn(customType, UserId, storage)
  const teamId = idColumn(customType, TeamId, storage)
  const teams = pgTable('teams', {
    id: teamId().primaryKey().$defaultFn(TeamId.generate),
    name: text().notNull(),
  })
  const users = pgTable('users', {
    id: userId().primaryKey().$defaultFn(UserId.generate),
    name: text().notNull(),
    teamId: teamId('team_id').references(() => teams.id),
  })
  const userRelations = relations(users, ({ one }) => ({
    team: one(teams, { fields: [users.teamId], references: [teams.id] }),
  }))
  return { teams, users, userRelations }
}

export async function open({ socket }: Server, storage: IdStorage): Promise<Store> {
  const pool = new pg.Pool({ host: socket, user: 'postgres' })
  const schema = defineTables(storage)
  const { users, teams } = schema
  const db = drizzle(pool, { schema })
  const select = () => db.select().from(users)
  const inOrder = asc(users.id)

  return {
    insertTeam: (team) => db.insert(teams).values(team),
    insert: (user) => db.insert(users).values(user),
    select: () => select().orderBy(inOrder),
    where: async (id) => (await select().where(eq(users.id, id)))[0],
    whereUpTo: (id) =>
      select()
        .where(and(lte(users.id, id)))
        .orderBy(inOrder),
    inList: (ids) => select().where(inArray(users.id, ids)).orderBy(inOrder),
    join: () =>
      db
        .select({ member: users.id, group: teams.id })
        .from(users)
        .innerJoin(teams, eq(teams.id, users.teamId)),
    returning: async (user) => (await db.insert(users).values(user).returning())[0] as User,
    whereNull: () => select().where(isNull(users.teamId)),
    update: (id, teamId) => db.update(users).set({ teamId }).where(eq(users.id, id)),
    upsert: ({ id, ...set }) =>
      db
        .insert(users)
        .values({ id, ...set })
        .onConflictDoUpdate({ target: users.id, set }),
    relation: (id) => db.query.users.findFirst({ where: eq(users.id, id), with: { team: true } }),
    raw: async (id) => (await select().where(sql`${users.id} = ${sql.param(id, users.id)}`))[0]?.name,
    close: () => pool.end(),
  }
}
