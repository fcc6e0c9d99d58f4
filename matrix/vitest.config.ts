import { defineConfig } from 'vitest/config'

/** The oldest supported version of each package that has a subpath, instead of the newest. */
const OLDEST = { kysely: 'kysely-min' }

const common = { include: ['orm/**/*.test.ts'], testTimeout: 30_000 }

export default defineConfig({
  test: {
    projects: [
      { test: { ...common, name: 'newest' } },
      {
        test: { ...common, name: 'oldest', env: { OLDEST: JSON.stringify(OLDEST) } },
        resolve: { alias: OLDEST },
      },
    ],
  },
})
