export const ENGINES = ['sqlite-memory', 'sqlite-file', 'postgres'] as const

export type Engine = (typeof ENGINES)[number]

export const PERSISTENT_ENGINES = [
  'sqlite-file',
  'postgres',
] as const satisfies readonly Engine[]

declare module 'vitest' {
  interface ProvidedContext {
    engine: Engine
    isProfileOnly?: boolean
    postgresUrl: string
    postgresTemplate: string
  }
}
