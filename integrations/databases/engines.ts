import { startMariaDb } from './mariadb.ts'
import { debianBin, startPostgres } from './postgres.ts'
import { openSqlite } from './sqlite.ts'

/** A database that the tests can fill with raw SQL. */
export interface Server {
  readonly engine: Engine
  readonly version: string
  /** How the drivers reach it: a folder with a socket, a socket, or a file. */
  readonly socket: string
  /** Runs statements and returns the rows of the last one, as the driver returns them. */
  run(...statements: string[]): Promise<Record<string, unknown>[]>
  stop(): Promise<void>
}

export type Engine = 'postgres' | 'sqlite' | 'mysql'

/** The databases of the matrix, by their names. */
export const SERVERS = {
  'PostgreSQL of npm': { engine: 'postgres', start: () => startPostgres() },
  'PostgreSQL of Debian': { engine: 'postgres', start: () => startPostgres(debianBin()) },
  SQLite: { engine: 'sqlite', start: () => openSqlite() },
  MariaDB: { engine: 'mysql', start: () => startMariaDb() },
} as const satisfies Record<string, { engine: Engine; start(): Promise<Server> }>
