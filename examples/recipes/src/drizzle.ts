import { customType, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import type { IdType, TypedId } from 'typed-id'
import { TeamId, UserId } from './ids.ts'

/** Defines a text column of ids. Values are validated when read, because other programs may write to the database. */
export function idColumn<P extends string>(type: IdType<P>) {
  return customType<{ data: TypedId<P>; driverData: string }>({
    dataType: () => 'text',
    fromDriver: (value) => type.parse(value),
  })()
}

export const teams = sqliteTable('teams', {
  id: idColumn(TeamId)
    .primaryKey()
    .$defaultFn(() => TeamId.generate()),
  name: text().notNull(),
})

export const users = sqliteTable('users', {
  id: idColumn(UserId)
    .primaryKey()
    .$defaultFn(() => UserId.generate()),
  name: text().notNull(),
  teamId: idColumn(TeamId).references(() => teams.id),
})
