import { defineProject } from 'vitest/config'

export default defineProject({
  test: { name: 'codemod', include: ['test/**/*.test.ts'], testTimeout: 30_000 },
})
