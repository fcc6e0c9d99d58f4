/** The databases that the tests run on. Vitest's projects and the fixtures derive from this list. */
export const ENGINES = ['sqlite-memory', 'sqlite-file', 'postgres'] as const

export type Engine = (typeof ENGINES)[number]

/** Engines whose rows outlive a connection. */
export const PERSISTENT_ENGINES = ['sqlite-file', 'postgres'] as const satisfies readonly Engine[]
