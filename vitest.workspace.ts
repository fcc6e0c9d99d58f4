import { defineConfig } from 'vitest/config'

/** The suite over HTTP runs once on every engine that the service can use. */
const engines = ['sqlite-memory', 'sqlite-file', 'postgres'].map((engine) => ({
  test: {
    name: `api on ${engine}`,
    root: 'apps/api',
    include: ['test/http/**/*.test.ts'],
    provide: { engine },
    ...(engine === 'postgres' && { globalSetup: 'test/support/postgres.ts' }),
  },
}))

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', 'examples/*', ...engines],
  },
})
