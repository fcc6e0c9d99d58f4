import { defineConfig } from 'vitest/config'

/** `pnpm --filter api run coverage`: what the tests in this process run of the sources, over HTTP on one engine. */
export default defineConfig({
  test: {
    projects: [
      './vitest.config.ts',
      { test: { name: 'http', include: ['test/http/**/*.test.ts'], provide: { engine: 'sqlite-memory' } } },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      // Each runs in a process of its own, which main.test.ts and others start.
      exclude: [
        'src/main.ts',
        'src/commands/**',
        'src/database/{backup,copy}.ts',
        'src/metrics/**',
        'src/priority.ts',
        'src/tracing.ts',
      ],
      reporter: ['text'],
      thresholds: { lines: 93, branches: 84 },
    },
  },
})
