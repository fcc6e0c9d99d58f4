export const ENGINES = ['sqlite-memory', 'sqlite-file', 'postgres'] as const

export type Engine = (typeof ENGINES)[number]

export const PERSISTENT_ENGINES = [
  'sqlite-file',
  'postgres',
] as const satisfies readonly Engine[]

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine
    /** Whether tests call the Hono app of `PROFILE=a` without a server. */
    isProfileOnly?: boolean
    postgresUrl: string
    postgresTemplate: string
  }
}
