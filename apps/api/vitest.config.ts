import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'api',
    include: ['test/*.test.ts', 'test/faults/*.test.ts', 'test/profile-b/*.test.ts'],
    globalSetup: 'test/support/postgres.ts',
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'] },
  },
})
