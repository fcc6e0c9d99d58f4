import { defineProject } from 'vitest/config'

export default defineProject({
  test: {
    name: 'client example',
    globalSetup: './generate/write.ts',
    include: ['test/*.test.ts'],
    testTimeout: 30_000, // some tests run a compiler or 100,000 inputs, which takes long on a busy machine
    typecheck: { enabled: true, include: ['test/*.test-d.ts'] },
  },
})
