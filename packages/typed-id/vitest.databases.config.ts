import { defineConfig } from 'vitest/config'

/** The tests on other database servers: PostgreSQL 13 to 17 from npm, and MariaDB from Debian. */
export default defineConfig({
  test: {
    name: 'typed-id on databases',
    include: ['test/sql/*.database.ts'],
    testTimeout: 60_000,
  },
})
