import type pg from 'pg'

/** Counts the service's connections to the database of `client`. */
export async function countConnections(client: pg.Client) {
  const connections =
    "select from pg_stat_activity where datname = current_database() and application_name = 'typed-id-api'"
  return (await client.query(connections)).rowCount
}
