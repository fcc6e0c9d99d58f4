import { type Kysely, sql } from 'kysely'

/**
 * Makes e-mail addresses unique by a form that the service computes, because
 * SQLite and PostgreSQL disagree about `lower()` of letters that are not ASCII.
 */
export async function up(
  db: Kysely<unknown>,
  engine: 'sqlite' | 'postgres',
): Promise<void> {
  const text = engine === 'postgres' ? sql`text collate "C"` : sql`text`
  await db.schema
    .alterTable('users')
    // Existing rows need a default. The maximum length is 4 × 255, because the
    // ASCII form of a domain can be four times as long as the domain.
    .addColumn('normalized_email', text, (c) =>
      c.notNull().defaultTo('').check(sql`length("normalized_email") <= 1020`),
    )
    .execute()
  // All existing addresses are ASCII, so `lower()` returns the form that the
  // service computes.
  await sql`update users set normalized_email = lower(email)`.execute(db)
  await db.schema.dropIndex('users_email_key').execute()
  await db.schema
    .createIndex('users_normalized_email_key')
    .on('users')
    .column('normalized_email')
    .unique()
    .execute()
  // During a deployment, the previous version of the service may still insert
  // users without this column. The constraint rejects these inserts, because
  // their addresses could be duplicates.
  await db.schema
    .alterTable('users')
    .addCheckConstraint(
      'users_normalized_email_filled',
      sql`normalized_email <> ''`,
    )
    .execute()
}
