import { defineConfig } from 'vitest/config'

/** `pnpm --filter typed-id run coverage`: the share of the sources that the tests run. */
export default defineConfig({
  test: {
    testTimeout: 30_000, // counting makes the longest loops four times slower
    include: ['test/**/*.test.ts'],
    exclude: ['test/package/**'], // the code of the README runs in other processes, which are not measured
    coverage: {
      provider: 'v8',
      include: ['src/**'],
      // Run in other processes, which are not measured: test/cli/process.test.ts.
      exclude: ['src/cli.ts', 'src/cli/main.ts'],
      reporter: ['text'],
      thresholds: { lines: 99.5, branches: 99.5 },
    },
  },
})
