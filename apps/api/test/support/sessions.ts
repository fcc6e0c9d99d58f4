import type pg from 'pg'

export const SESSIONS =
  "select pid from pg_stat_activity where datname = current_database() and application_name = 'typed-id-api'"

export async function countConnections(client: pg.Client) {
  return (await client.query(SESSIONS)).rowCount
}
