import { importDriver } from '../driver.ts'

// biome-ignore lint/suspicious/noExplicitAny: rows of catalogue queries, whose shape stands in the query
export type Row = Record<string, any>

/** One connection. */
export interface Session {
  /** Runs one statement, or without values several. Returns the rows of the last one, with the number of changed rows. */
  query(sql: string, values?: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number }>
  /** Closes the connection, also in the middle of a query, which then throws. */
  end(): Promise<void>
}

/** The part of the package pg that this command uses. */
interface Driver {
  Client: new (
    options: object,
  ) => {
    connect(): Promise<unknown>
    query(sql: string, values?: readonly unknown[]): Promise<{ rows: Row[]; rowCount: number | null }>
    on(event: 'error', listener: () => void): unknown
    end(): Promise<void>
  }
}

/** Connects to PostgreSQL with the package `pg` of the current project. */
export async function connect(url: string): Promise<Session> {
  const { Client } = await importDriver<Driver>('pg', 'PostgreSQL')
  const client = new Client({
    connectionString: url,
    application_name: 'typed-id migrate',
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => {}) // the query that is running throws, too
  await client.connect()
  // The server otherwise completes the running statement of a client that was killed, and the next run waits for it.
  await client.query(
    `select set_config(name, '1s', false) from pg_settings where name = 'client_connection_check_interval'`,
  )
  return {
    async query(sql, values) {
      const result = await client.query(sql, values)
      const { rows, rowCount } = Array.isArray(result) ? result.at(-1) : result
      return { rows, rowCount: rowCount ?? 0 }
    },
    end: () => client.end(),
  }
}
