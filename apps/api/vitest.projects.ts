import { defineProject } from 'vitest/config'
import { ENGINES } from './test/support/engine-names.ts'

const shared = {
  root: import.meta.dirname,
  // Files of one project share a process and its modules: loading them anew took longer than most files.
  isolate: false,
  // Vitest's 5 s are too short for a test that starts processes while the machine is busy.
  testTimeout: 30_000,
  hookTimeout: 30_000,
}

const SQLITE = 'test/support/sqlite-setup.ts'
const POSTGRES = 'test/support/postgres-setup.ts'

/** The tests of the service, in projects that are named after what they need. */
export const projects = [
  defineProject({
    test: {
      ...shared,
      name: 'unit',
      include: ['test/unit/**/*.test.ts'],
      typecheck: {
        enabled: true,
        include: ['test/unit/**/*.test-d.ts'],
        tsconfig: './test/unit/tsconfig.types.json',
      },
    },
  }),
  ...ENGINES.map((engine) =>
    defineProject({
      test: {
        ...shared,
        name: `http on ${engine}`,
        include: ['test/http/**/*.test.ts'],
        provide: { engine },
        globalSetup: { 'sqlite-memory': [], 'sqlite-file': [SQLITE], postgres: [POSTGRES] }[engine],
      },
    }),
  ),
  defineProject({
    test: {
      ...shared,
      name: 'process',
      include: ['test/process/**/*.test.ts', 'test/readme.test.ts', 'test/dashboard.test.ts'],
      globalSetup: [SQLITE, POSTGRES],
    },
  }),
]
