export const ENGINES = ['sqlite-memory', 'sqlite-file', 'postgres'] as const

export type Engine = (typeof ENGINES)[number]

/** Engines whose rows outlive a connection. */
export const PERSISTENT_ENGINES = [
  'sqlite-file',
  'postgres',
] as const satisfies readonly Engine[]

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine
    /** Whether tests call the Hono app of Profile A without a server. */
    isProfileOnly?: boolean
    /**
     * The URL of a PostgreSQL database to which tests connect in order to
     * create other databases.
     */
    postgresUrl: string
    /** Template database with the tables of Profile A and without rows. */
    postgresTemplate: string
  }
}
