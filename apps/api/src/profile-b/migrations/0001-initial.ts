import { type Kysely, sql } from 'kysely'

export async function up(db: Kysely<unknown>): Promise<void> {
  const options = sql`strict, without rowid`
  const isId = (type: string) =>
    sql<boolean>`"id" glob ${sql.lit(`${type}-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`)} and length(cast("id" as blob)) = ${sql.lit(type.length + 37)}`

  await db.schema
    .createTable('teams')
    .addColumn('id', 'text', (c) =>
      c.primaryKey().notNull().check(isId('team')),
    )
    .addColumn('name', 'text', (c) =>
      c.notNull().check(sql`length("name") <= 100`),
    )
    .modifyEnd(options)
    .execute()

  await db.schema
    .createTable('users')
    .addColumn('id', 'text', (c) =>
      c.primaryKey().notNull().check(isId('user')),
    )
    .addColumn('name', 'text', (c) =>
      c.notNull().check(sql`length("name") <= 100`),
    )
    .addColumn('email', 'text', (c) =>
      c.notNull().check(sql`length("email") <= 255`),
    )
    .addColumn('team_id', 'text', (c) => c.references('teams.id'))
    .modifyEnd(options)
    .execute()

  await db.schema
    .createIndex('users_team_id_id')
    .on('users')
    .columns(['team_id', 'id'])
    .execute()
}

const hex = (digits: number) => '[0-9a-f]'.repeat(digits)
