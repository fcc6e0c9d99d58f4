import { defineConfig } from 'vitest/config'

/** Short forms of the campaigns in lab/: `pnpm test:lab`. They measure under load, so `pnpm test` leaves them out. */
export default defineConfig({
  test: {
    name: 'lab',
    root: import.meta.dirname,
    include: ['lab/**/*.test.ts'],
    testTimeout: 30_000,
    globalSetup: ['test/support/sqlite-setup.ts', 'test/support/postgres-setup.ts'],
  },
})
