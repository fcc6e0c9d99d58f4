/**
 * The databases that the tests run on. Vitest's projects and the fixtures
 * derive from this list.
 */
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
    /** Whether tests call the app of the profile instead of the service. */
    isProfileOnly?: boolean
    /**
     * The URL of a database on the PostgreSQL server. Tests connect to it in
     * order to create their own.
     */
    postgresUrl: string
    /**
     * The name of a database with the schema of Profile A and no rows, which
     * tests copy.
     */
    postgresTemplate: string
  }
}
