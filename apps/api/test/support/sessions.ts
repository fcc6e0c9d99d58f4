import type pg from 'pg'

/** Selects the service's connections to the database of the client. */
export const SESSIONS =
  "select pid from pg_stat_activity where datname = current_database() and application_name = 'typed-id-api'"

/** Counts the service's connections to the database of `client`. */
export async function countConnections(client: pg.Client) {
  return (await client.query(SESSIONS)).rowCount
}
