import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, defineProject } from 'vitest/config'
import { ENGINES } from './tools/testkit/engine-names.ts'
import { failWithoutTests } from './tools/testkit/fail-without-tests.ts'

/**
 * High timeouts, which only end a test that hangs: a busy machine may be many
 * times as slow as an idle machine.
 */
const BUSY = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
}

/**
 * With Node's compile cache, a process of the `typed-id` command takes 0.06 s
 * of processor time instead of 0.16 s.
 */
const CACHED = {
  NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/node`,
}

const CORES = availableParallelism()

/**
 * Test files share modules (`isolate: false`), because loading the modules
 * again for each file would take longer than most of the tests.
 */
const SHARED = { ...BUSY, env: CACHED, isolate: false }

const SLOW = [
  'test/package/{pack,compile-cost}.test.ts',
  'test/generate-in-processes.test.ts',
]

const library = {
  ...SHARED,
  name: 'typed-id',
  root: 'packages/typed-id',
  env: { ...CACHED, TZ: 'Asia/Kolkata' },
  include: ['test/**/*.test.ts'],
  exclude: SLOW,
}

const service = { ...SHARED, root: 'apps/api' }

const BUNDLED_SERVICE = '../../tools/testkit/bundled-service.ts'
const POSTGRES = '../../tools/testkit/postgres-setup.ts'

const LIMITS = ['test/sockets/limits.test.ts']

const unit = {
  ...service,
  name: 'unit',
  include: ['test/{unit,sockets,profile-b}/**/*.test.ts'],
  exclude: LIMITS,
}

const http = ENGINES.map((engine) => ({
  ...service,
  name: `http on ${engine}`,
  include: ['test/http/**/*.test.ts'],
  provide: { engine },
  globalSetup: engine === 'postgres' ? [POSTGRES] : [],
}))

const profile = {
  ...service,
  name: 'profile without the service',
  include: [
    'test/http/{paging,roles,users,validation,writes-between-pages}.test.ts',
  ],
  provide: { engine: 'sqlite-memory', isProfileOnly: true },
}

/**
 * Three more workers than cores, for tests that wait for more than half of
 * their time. Vitest requires a separate group for each value of `maxWorkers`.
 */
const WAITING = { maxWorkers: CORES + 3, sequence: { groupOrder: 1 } }

const processes = {
  ...service,
  ...WAITING,
  globalSetup: [BUNDLED_SERVICE, POSTGRES],
}

/**
 * The projects that `vitest run --mode` selects. No project has the type tests
 * (`*.test-d.ts`), because `pnpm check` compiles them.
 */
const MODES = {
  test: [
    library,
    unit,
    { ...service, ...WAITING, name: 'limits', include: LIMITS },
    // Only `pnpm test:quick` tests SQLite in memory: here, SQLite has a file.
    ...http.filter(({ name }) => name !== 'http on sqlite-memory'),
    {
      ...processes,
      name: 'process',
      include: ['test/process/**/*.test.ts', 'test/readme.test.ts'],
    },
  ],
  /**
   * `pnpm test:quick`: tests of the library and of the service that start no
   * other process and are not slow. The variable QUICK makes property tests
   * generate fewer values.
   */
  quick: [
    {
      ...library,
      exclude: [
        ...SLOW,
        'test/package/**',
        'test/cli/{process,filter}.test.ts',
        'test/{sql/postgres,kysely-positions}.test.ts',
      ],
      env: { ...library.env, QUICK: '1' },
    },
    { ...unit, env: { ...unit.env, QUICK: '1' } },
    ...http.filter(({ name }) => name === 'http on sqlite-memory'),
    profile,
  ],
  surroundings: [
    {
      ...processes,
      name: 'surroundings',
      include: ['test/surroundings/**/*.test.ts'],
    },
    { ...library, name: 'packages', include: SLOW, exclude: [] },
    { ...BUSY, name: 'api-client', root: 'apps/api-client' },
  ],
  /** These tests need an installed Chromium. */
  browser: [
    browser('browser', 'apps/api', 'test/browser/**/*.test.ts'),
    browser('site', 'docs'),
    browser('inspector', 'apps/inspector'),
  ],
  /** These tests use all cores, so they are not a part of `pnpm test`. */
  lab: [
    {
      ...BUSY,
      name: 'lab',
      root: 'tools/lab',
      globalSetup: [BUNDLED_SERVICE, POSTGRES].map((file) =>
        file.replace('../../tools/', '../'),
      ),
    },
  ],
}

function browser(name: string, root: string, include = 'test/**/*.test.ts') {
  return {
    ...BUSY,
    name,
    root,
    include: [include],
    testTimeout: 300_000,
  }
}

export default defineConfig(({ mode }) => ({
  test: {
    reporters: [...configDefaults.reporters, failWithoutTests],
    projects: (MODES[mode as keyof typeof MODES] ?? []).map((test) =>
      defineProject({ test: { maxWorkers: CORES, ...test } }),
    ),
    coverage: {
      provider: 'istanbul',
      // Vitest resolves these patterns relative to the workspace, but with
      // --project relative to the folder of the project. So each pattern
      // matches paths with and without that folder.
      include: ['{apps/api/,packages/typed-id/,}src/**/*.ts'],
      // Excludes files that only child processes run, because coverage of child
      // processes is not measured.
      exclude: [
        '{apps/api/,}src/{main,profile-a/demo}.ts',
        '{apps/api/,}src/observability/{metrics,tracing}.ts',
        '{apps/api/,}src/server/serve-metrics.ts',
        '{packages/typed-id/,}src/{cli,prisma/generator}.ts',
      ],
      reporter: ['text'],
      thresholds: {
        'apps/api/src/**': { lines: 93, branches: 84 },
        'packages/typed-id/src/**': { lines: 99.5, branches: 98.5 },
      },
    },
  },
}))
