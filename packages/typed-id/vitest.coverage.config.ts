import { defineConfig } from 'vitest/config'

/** `pnpm --filter typed-id run coverage`: what the tests in this process run of the sources. */
export default defineConfig({
  test: {
    // The README's snippets and the real command run in processes of their own, which are not counted.
    testTimeout: 30_000, // counting makes the longest loops four times as slow
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**'],
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      exclude: ['src/cli.ts'], // argv and exit code; test/cli/process.test.ts starts it
      reporter: ['text'],
      thresholds: { lines: 99.5, branches: 99.5 },
    },
  },
})
