import { relations } from 'drizzle-orm'
import { customType, pgTable, text } from 'drizzle-orm/pg-core'
import type { IdStorage } from 'typed-id/codec'
import { idColumn } from 'typed-id/drizzle'
import { TeamId, UserId } from '../ids.ts'

/** On MySQL, MariaDB and SQLite, import the same names from `mysql-core` or `sqlite-core`, and `mysqlTable` or `sqliteTable`. */
const POSTGRES = { customType, table: pgTable, text }

export function defineTables(storage: IdStorage, { customType, table, text } = POSTGRES) {
  const userId = idColumn(customType, UserId, storage)
  const teamId = idColumn(customType, TeamId, storage)
  const teams = table('teams', {
    id: teamId().primaryKey().$defaultFn(TeamId.generate),
    name: text().notNull(),
  })
  const users = table('users', {
    id: userId().primaryKey().$defaultFn(UserId.generate),
    name: text().notNull(),
    teamId: teamId('team_id').references(() => teams.id),
  })
  const userRelations = relations(users, ({ one }) => ({
    team: one(teams, { fields: [users.teamId], references: [teams.id] }),
  }))
  return { teams, users, userRelations }
}
