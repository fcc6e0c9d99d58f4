import { defineConfig } from 'vitest/config'

/** The suite over HTTP runs once on every engine that the service can use. */
const engines = ['sqlite-memory', 'sqlite-file'].map((engine) => ({
  test: {
    name: `api on ${engine}`,
    root: 'apps/api',
    include: ['test/http/**/*.test.ts'],
    provide: { engine },
  },
}))

export default defineConfig({
  test: {
    projects: ['packages/*', 'apps/*', ...engines],
  },
})
