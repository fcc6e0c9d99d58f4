import { defineConfig } from 'vitest/config'
import { projects } from './apps/api/vitest.projects.ts'

const QUICK = ['unit', 'http on sqlite-memory']

/**
 * `pnpm test:quick`: the library, and what the service does without a server or another process. Leaves out type tests,
 * which `pnpm check` compiles, and the two files of the library that start compilers and processes for 10 s.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: './packages/typed-id/vitest.config.ts',
        test: {
          root: './packages/typed-id',
          isolate: false,
          exclude: ['test/readme.test.ts', 'test/cli/process.test.ts'],
          typecheck: { enabled: false },
        },
      },
      ...projects
        .filter(({ test }) => QUICK.includes(test.name))
        .map(({ test }) => ({ test: { ...test, typecheck: { enabled: false } } })),
    ],
  },
})
