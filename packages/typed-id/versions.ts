/**
 * The oldest versions with which the package works. `pnpm --filter typed-id run
 * compat` tests them, and a table of the README lists them.
 */
export const OLDEST = {
  node: '20',
  typescript: '5.5.4',
  zod: '3.25',
  kysely: '0.28.3',
  'drizzle-orm': '0.33',
} as const
