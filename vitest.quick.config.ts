import { defineConfig } from 'vitest/config'
import { projects } from './apps/api/vitest.projects.ts'

const QUICK = ['unit', 'http on sqlite-memory']

/**
 * `pnpm test:quick`: the library, and what the service does without a server or another process. Leaves out type tests,
 * which `pnpm check` compiles, and the files of the library that start compilers or a server, count to 2^26 or compare
 * 100,000 inputs.
 */
export default defineConfig({
  test: {
    projects: [
      {
        extends: './packages/typed-id/vitest.config.ts',
        test: {
          name: 'typed-id',
          root: './packages/typed-id',
          isolate: false,
          exclude: [
            'test/{package,fuzz}/**',
            'test/cli/process.test.ts',
            'test/{overflow,text}.test.ts',
            'test/sql/postgres*.test.ts',
          ],
          typecheck: { enabled: false },
        },
      },
      ...projects
        .filter(({ test }) => QUICK.includes(test.name))
        .map(({ test }) => ({ test: { ...test, typecheck: { enabled: false } } })),
    ],
  },
})
