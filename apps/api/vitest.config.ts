import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'api',
    include: ['test/*.test.ts', 'test/faults/*.test.ts', 'test/profile-b/*.test.ts'],
    testTimeout: 15_000, // many start the service two or three times, beside others that do
    globalSetup: 'test/support/postgres.ts',
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'] },
  },
})
