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

/** Short forms of the campaigns in apps/api/lab: `pnpm test:lab`. */
const lab = { test: { name: 'lab', root: 'apps/api', include: ['lab/**/*.test.ts'], testTimeout: 30_000 } }

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', 'examples/*', ...engines, lab],
  },
})
