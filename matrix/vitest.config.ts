import { defineConfig } from 'vitest/config'

/** The oldest supported version of each package that has a subpath, instead of the newest. */
const OLDEST = { kysely: 'kysely-min' }

const testTimeout = 30_000

export default defineConfig({
  test: {
    projects: [
      { test: { name: 'newest', include: ['{orm,better-auth,peers,clients}/**/*.test.ts'], testTimeout } },
      {
        test: {
          name: 'oldest',
          include: ['orm/matrix.test.ts'],
          env: { OLDEST: JSON.stringify(OLDEST) },
          testTimeout,
        },
        resolve: { alias: OLDEST },
      },
      {
        test: { name: 'clients without plugins', include: ['clients/clients.test.ts'], testTimeout },
        resolve: { alias: { '#generated': new URL('clients/generated/plain', import.meta.url).pathname } },
      },
    ],
  },
})
