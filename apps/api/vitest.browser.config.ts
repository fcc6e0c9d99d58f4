import { defineConfig } from 'vitest/config'

/** Runs in a real Chromium, which must be installed: `pnpm test:browser`. */
export default defineConfig({
  test: {
    name: 'browser',
    root: import.meta.dirname,
    include: ['test/browser/**/*.test.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
