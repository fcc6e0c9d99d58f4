export const ENGINES = ['sqlite-memory', 'sqlite-file', 'postgres'] as const

export type Engine = (typeof ENGINES)[number]

/** Engines whose rows outlive a connection. */
export const PERSISTENT_ENGINES = [
  'sqlite-file',
  'postgres',
] as const satisfies readonly Engine[]

declare module 'vitest' {
  /**
   * The values that global setups provide, and that tests read with `inject`.
   */
  interface ProvidedContext {
    engine: Engine
    /**
     * Whether tests call only Profile A's app, without the rest of the service.
     */
    isProfileOnly?: boolean
    /**
     * The URL of a PostgreSQL database to which tests connect in order to
     * create other databases.
     */
    postgresUrl: string
    /**
     * The name of a database with the schema of Profile A and no rows, which
     * tests copy.
     */
    postgresTemplate: string
  }
}
