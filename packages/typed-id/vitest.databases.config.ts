import { defineConfig } from 'vitest/config'

/** The tests on database servers that npm does not have: PostgreSQL before 18 and MariaDB from Debian. */
export default defineConfig({
  test: {
    name: 'typed-id on databases',
    include: ['test/sql/*.database.ts'],
    testTimeout: 60_000,
  },
})
