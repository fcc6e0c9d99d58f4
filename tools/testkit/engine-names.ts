/** The databases that the tests run on. Vitest's projects and the fixtures derive from this list. */
export const ENGINES = ['sqlite-memory', 'sqlite-file', 'postgres'] as const

export type Engine = (typeof ENGINES)[number]

/** Engines whose rows outlive a connection. */
export const PERSISTENT_ENGINES = ['sqlite-file', 'postgres'] as const satisfies readonly Engine[]

declare module 'vitest' {
  /** What the global setups give to tests, which `inject` returns. */
  interface ProvidedContext {
    /** The engine of a project whose tests run on each. */
    engine: Engine
    /** The keys of a project in which clients see opaque ids. */
    opaqueIdKeys?: string[]
    /** A SQLite file with the schema of Profile A and no rows, to be copied. */
    sqliteTemplate: string
    /** A PostgreSQL server, by the URL of a database that tests may connect to in order to create their own. */
    postgresUrl: string
    /** The name of a database with the schema of Profile A and no rows, to be copied. */
    postgresTemplate: string
  }
}
