import { defineConfig } from 'vitest/config'

/** They measure, so no other test may run at the same time. */
const MEASURING = ['test/lighthouse.test.ts', 'test/inspector-quality.test.ts', 'test/inspector-log.test.ts']

const limits = { testTimeout: 300_000, hookTimeout: 60_000 }

/** Tests the built site in a real Chromium, which must be installed: `pnpm docs:test`. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          ...limits,
          name: 'site',
          include: ['test/**/*.test.ts'],
          exclude: MEASURING,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...limits,
          name: 'measurements',
          include: MEASURING,
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
})
