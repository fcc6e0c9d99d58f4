import { type Kysely, sql } from 'kysely'

export async function up(
  db: Kysely<unknown>,
  engine: 'sqlite' | 'postgres',
): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  await db.schema
    .alterTable('users')
    // Existing rows need a default. The ASCII form of a domain can be four
    // times as long as the domain, so the maximum is 4 × 255.
    .addColumn('normalized_email', text, (c) =>
      c.notNull().defaultTo('').check(sql`length("normalized_email") <= 1020`),
    )
    .execute()
  // Earlier versions of the service accepted only ASCII addresses, so `lower()`
  // returns the form that the service computes.
  await sql`update users set normalized_email = lower(email)`.execute(db)
  await db.schema.dropIndex('users_email_key').execute()
  await db.schema
    .createIndex('users_normalized_email_key')
    .on('users')
    .column('normalized_email')
    .unique()
    .execute()
  // Rejects users that the previous version of the service inserts with the
  // default '', because a duplicate address would not be detected.
  await db.schema
    .alterTable('users')
    .addCheckConstraint(
      'users_normalized_email_filled',
      sql`normalized_email <> ''`,
    )
    .execute()
}
