import type { Kysely } from 'kysely'
import { columnsFor } from '../../database/columns.ts'
import { TeamId, UserId } from '../../ids.ts'

export async function up(db: Kysely<unknown>): Promise<void> {
  const { text, isId, atMost, options } = columnsFor(db)

  await db.schema
    .createTable('teams')
    .addColumn('id', text, (c) =>
      c.primaryKey().notNull().check(isId('id', TeamId)),
    )
    .addColumn('name', text, (c) => c.notNull().check(atMost('name', 100)))
    .modifyEnd(options)
    .execute()

  await db.schema
    .createTable('users')
    .addColumn('id', text, (c) =>
      c.primaryKey().notNull().check(isId('id', UserId)),
    )
    .addColumn('name', text, (c) => c.notNull().check(atMost('name', 100)))
    .addColumn('email', text, (c) => c.notNull().check(atMost('email', 255)))
    .addColumn('team_id', text, (c) => c.references('teams.id'))
    .modifyEnd(options)
    .execute()

  // An index for lists of a team's members in creation order, which is the
  // order of ids.
  await db.schema
    .createIndex('users_team_id_id')
    .on('users')
    .columns(['team_id', 'id'])
    .execute()
}
