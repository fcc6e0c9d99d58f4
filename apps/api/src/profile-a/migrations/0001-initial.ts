import { type Kysely, sql } from 'kysely'

export async function up(
  db: Kysely<unknown>,
  engine: 'sqlite' | 'postgres',
): Promise<void> {
  const isPostgres = engine === 'postgres'
  // The collation C sorts strings by their bytes, as SQLite does.
  const text = isPostgres ? sql`text collate "C"` : sql`text`
  // SQLite checks column types only in STRICT tables. WITHOUT ROWID makes
  // lookups a quarter faster, and the file a quarter smaller.
  const options = isPostgres ? sql`` : sql`strict, without rowid`
  // In SQLite, GLOB ignores everything after a NUL character, so the check of
  // the length rejects longer strings.
  const isId = (type: string) =>
    isPostgres
      ? sql<boolean>`"id" ~ ${sql.lit(`^${type}-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`)}`
      : sql<boolean>`"id" glob ${sql.lit(`${type}-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`)} and length(cast("id" as blob)) = ${sql.lit(type.length + 37)}`

  await db.schema
    .createTable('teams')
    .addColumn('id', text, (c) => c.primaryKey().notNull().check(isId('team')))
    .addColumn('name', text, (c) =>
      c.notNull().check(sql`length("name") <= 100`),
    )
    .modifyEnd(options)
    .execute()

  await db.schema
    .createTable('roles')
    .addColumn('id', text, (c) => c.primaryKey().notNull().check(isId('role')))
    .addColumn('name', text, (c) =>
      c.notNull().unique().check(sql`length("name") <= 50`),
    )
    .addColumn('description', text, (c) =>
      c.check(sql`length("description") <= 200`),
    )
    .modifyEnd(options)
    .execute()

  await db.schema
    .createTable('users')
    .addColumn('id', text, (c) => c.primaryKey().notNull().check(isId('user')))
    .addColumn('email', text, (c) =>
      c.notNull().check(sql`length("email") <= 255`),
    )
    .addColumn('name', text, (c) =>
      c.notNull().check(sql`length("name") <= 100`),
    )
    .addColumn('password_hash', text, (c) =>
      c.notNull().check(sql`length("password_hash") <= 255`),
    )
    .addColumn('team_id', text, (c) => c.references('teams.id'))
    .modifyEnd(options)
    .execute()

  await db.schema
    .createIndex('users_email_key')
    .on('users')
    .expression(sql`lower(email)`)
    .unique()
    .execute()
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

const hex = (digits: number) => '[0-9a-f]'.repeat(digits)
