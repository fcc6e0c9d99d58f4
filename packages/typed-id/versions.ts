export const OLDEST = {
  node: '20',
  typescript: '5.5.4',
  zod: '3.25',
  kysely: '0.27.0',
  'drizzle-orm': '0.33',
} as const
