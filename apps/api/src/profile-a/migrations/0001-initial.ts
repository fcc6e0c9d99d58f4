import { type Kysely, sql } from 'kysely'
import { columnsFor } from '../../database/columns.ts'
import { RoleId, TeamId, UserId } from '../../ids.ts'

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
    .createTable('roles')
    .addColumn('id', text, (c) =>
      c.primaryKey().notNull().check(isId('id', RoleId)),
    )
    .addColumn('name', text, (c) =>
      c.notNull().unique().check(atMost('name', 50)),
    )
    .addColumn('description', text, (c) => c.check(atMost('description', 200)))
    .modifyEnd(options)
    .execute()

  await db.schema
    .createTable('users')
    .addColumn('id', text, (c) =>
      c.primaryKey().notNull().check(isId('id', UserId)),
    )
    .addColumn('email', text, (c) => c.notNull().check(atMost('email', 255)))
    .addColumn('name', text, (c) => c.notNull().check(atMost('name', 100)))
    .addColumn('password_hash', text, (c) =>
      c.notNull().check(atMost('password_hash', 255)),
    )
    .addColumn('team_id', text, (c) => c.references('teams.id'))
    .modifyEnd(options)
    .execute()

  // E-mail addresses are unique regardless of case.
  await db.schema
    .createIndex('users_email_key')
    .on('users')
    .expression(sql`lower(email)`)
    .unique()
    .execute()
  // An index for lists of a team's members in creation order, which is the
  // order of ids.
  await db.schema
    .createIndex('users_team_id_id')
    .on('users')
    .columns(['team_id', 'id'])
    .execute()

  await db.schema
    .createTable('user_roles')
    .addColumn('user_id', text, (c) =>
      c.notNull().references('users.id').onDelete('cascade'),
    )
    .addColumn('role_id', text, (c) => c.notNull().references('roles.id'))
    .addPrimaryKeyConstraint('user_roles_pkey', ['user_id', 'role_id'])
    .modifyEnd(options)
    .execute()
}
