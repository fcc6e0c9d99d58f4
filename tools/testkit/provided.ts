import type { Engine } from './engine-names.ts'

declare module 'vitest' {
  /** What the global setups give to tests, which `inject` returns. */
  interface ProvidedContext {
    /** The engine of a project whose tests run on each. */
    engine: Engine
    /** A SQLite file with the schema of Profile A and no rows, to be copied. */
    sqliteTemplate: string
    /** A PostgreSQL server, by the URL of a database that tests may connect to in order to create their own. */
    postgresUrl: string
    /** The name of a database with the schema of Profile A and no rows, to be copied. */
    postgresTemplate: string
  }
}
