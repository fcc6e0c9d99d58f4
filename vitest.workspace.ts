import { defineConfig } from 'vitest/config'
import { projects } from './apps/api/vitest.projects.ts'

export default defineConfig({
  test: {
    projects: ['packages/*', 'examples/*/vitest.config.ts', ...projects],
    coverage: {
      // Enabled by --coverage, which `.ci/run` adds to its run of the tests.
      provider: 'v8',
      // The patterns start at the root of the workspace, or with --project at those of the projects.
      include: ['{apps/api/,packages/typed-id/,}src/**'],
      // Other processes run these files, and are not measured.
      exclude: [
        '{apps/api/,}src/{main,commands/supervise,commands/demo,commands/seed}.ts',
        '{apps/api/,}src/{database,profile-a/store}/samples.ts',
        '{apps/api/,}src/observability/{tracing,log-output}.ts',
        '{apps/api/,}src/observability/metrics/**',
        '{packages/typed-id/,}src/{cli,cli/main}.ts',
      ],
      reporter: ['text'],
      thresholds: {
        'apps/api/src/**': { lines: 93, branches: 84 },
        'packages/typed-id/src/**': { lines: 99.5, branches: 99.5 },
      },
    },
  },
})
