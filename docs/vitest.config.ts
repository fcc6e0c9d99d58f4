import { defineConfig } from 'vitest/config'

/** Tests the built site in a real Chromium, which must be installed: `pnpm docs:test`. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Lighthouse measures, so no other test may run at the same time.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
})
