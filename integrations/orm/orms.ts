import type { Orm } from './cases.ts'

/** The ORMs to test. Each `folder` has a `store.ts`, which `load` imports. */
export const ALL_ORMS: { name: string; package: string; folder: string; load(): Promise<Orm> }[] = [
  { name: 'Kysely', package: 'kysely', folder: 'kysely', load: () => import('./kysely/store.ts') },
  { name: 'Drizzle', package: 'drizzle-orm', folder: 'drizzle', load: () => import('./drizzle/store.ts') },
  { name: 'Prisma', package: '@prisma/client', folder: 'prisma', load: () => import('./prisma/store.ts') },
  { name: 'TypeORM', package: 'typeorm', folder: 'typeorm', load: () => import('./typeorm/store.ts') },
  {
    name: 'MikroORM',
    package: '@mikro-orm/core',
    folder: 'mikro-orm',
    load: () => import('./mikro-orm/store.ts'),
  },
]
