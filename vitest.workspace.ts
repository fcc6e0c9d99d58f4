import { defineConfig } from 'vitest/config'
import { projects } from './apps/api/vitest.projects.ts'

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples/*', ...projects],
    coverage: {
      // `.ci/run` sets it for its only run of the tests. Measuring makes them slower, so `pnpm test` does without.
      enabled: process.env.COVERAGE === 'true',
      provider: 'v8',
      include: ['apps/api/src/**'],
      // Run in other processes, which are not measured.
      exclude: ['apps/api/src/main.ts', 'apps/api/src/observability/{metrics,tracing}*/**'],
      reporter: ['text'],
      thresholds: { lines: 93, branches: 84 },
    },
  },
})
