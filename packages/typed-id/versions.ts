/**
 * The oldest supported versions of Node, TypeScript and peer dependencies. The
 * script `compat` tests these versions, and a table of the README lists them.
 */
export const OLDEST = {
  node: '20',
  typescript: '5.5.4',
  zod: '3.25',
  kysely: '0.27.0',
  'drizzle-orm': '0.33',
} as const
