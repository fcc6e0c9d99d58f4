import { fileURLToPath } from 'node:url'
import { configDefaults, defineConfig } from 'vitest/config'
import { failWithoutTests } from '../tools/testkit/fail-without-tests.ts'

/** High timeouts, because servers start slowly on a busy machine. */
const timeouts = { testTimeout: 180_000, hookTimeout: 180_000 }

export default defineConfig({
  test: {
    reporters: [...configDefaults.reporters, failWithoutTests],
    projects: [
      {
        test: {
          name: 'newest',
          include: ['{orm,clients,next,testing}/**/*.test.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'recipes',
          include: ['frameworks/**/*.test.ts', '*.test.ts'],
          ...timeouts,
        },
      },
      {
        test: {
          name: 'graphql 16',
          include: ['frameworks/graphql/*.test.ts'],
        },
        resolve: {
          alias: {
            graphql: fileURLToPath(import.meta.resolve('graphql-16')),
          },
        },
      },
      {
        test: {
          name: 'positions in the oldest',
          include: [
            'orm/prisma/{nested,positions}.test.ts',
            'orm/drizzle/positions.test.ts',
            '../packages/typed-id/test/kysely-positions.test.ts',
          ],
          env: { OLDEST: '-min' },
          ...timeouts,
        },
        resolve: {
          alias: {
            kysely: fileURLToPath(
              new URL('node_modules/kysely-min', import.meta.url),
            ),
            'drizzle-orm': fileURLToPath(
              new URL('node_modules/drizzle-min', import.meta.url),
            ),
            '@prisma/client': 'prisma-client-min',
            '@prisma/adapter-pg': 'prisma-adapter-pg-min',
          },
        },
      },
    ],
  },
})
