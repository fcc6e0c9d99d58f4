import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig, defineProject } from 'vitest/config'
import { ENGINES } from './tools/testkit/engine-names.ts'
import { failWithoutTests } from './tools/testkit/fail-without-tests.ts'

/**
 * High timeouts, which only end a test that hangs: a busy machine may be many
 * times as slow as an idle one.
 */
const BUSY = {
  testTimeout: 180_000,
  hookTimeout: 180_000,
  expect: { poll: { timeout: 60_000 } },
}

/**
 * Node keeps compiled modules in this folder: a process of the `typed-id`
 * command takes 0.06 s of processor time instead of 0.16 s.
 */
const CACHED = {
  NODE_COMPILE_CACHE: `${import.meta.dirname}/node_modules/.cache/node`,
}

const CORES = availableParallelism()

/**
 * Runs the files of a project in one process with shared modules: loading them
 * again took longer than most files.
 */
const SHARED = { ...BUSY, env: CACHED, isolate: false }

/**
 * Tests of the library that pack or compile the package, or generate 2^26 ids.
 */
const SLOW = [
  'test/package/{pack,compile-cost}.test.ts',
  'test/generate-in-processes.test.ts',
]

const library = {
  ...SHARED,
  name: 'typed-id',
  root: 'packages/typed-id',
  // A time zone that differs from UTC in hours and minutes: on a machine with
  // UTC, a time without its zone would pass.
  env: { ...CACHED, TZ: 'Asia/Kolkata' },
  include: ['test/**/*.test.ts'],
  exclude: SLOW,
}

const service = { ...SHARED, root: 'apps/api' }

const BUNDLED_SERVICE = '../../tools/testkit/bundled-service.ts'
const POSTGRES = '../../tools/testkit/postgres-setup.ts'

const unit = {
  ...service,
  name: 'unit',
  include: ['test/{unit,sockets,profile-b}/**/*.test.ts'],
}

const http = ENGINES.map((engine) => ({
  ...service,
  name: `http on ${engine}`,
  include: ['test/http/**/*.test.ts'],
  provide: { engine },
  globalSetup: engine === 'postgres' ? [POSTGRES] : [],
}))

/** The tests of endpoints, by `profileA.app(db).request()`. */
const profile = {
  ...service,
  name: 'profile without the service',
  include: [
    'test/http/{paging,roles,users,validation,writes-between-pages}.test.ts',
  ],
  provide: { engine: 'sqlite-memory', isProfileOnly: true },
}

/** Tests that start the service as a process. */
const processes = {
  ...service,
  globalSetup: [BUNDLED_SERVICE, POSTGRES],
  // Two more than cores, because these tests wait for half of their time.
  // Vitest requires a separate group for another `maxWorkers`.
  maxWorkers: CORES + 2,
  sequence: { groupOrder: 1 },
}

/**
 * The projects of each mode: `vitest run --mode browser`. `pnpm check` compiles
 * the type tests (`*.test-d.ts`) with all other files.
 */
const MODES = {
  /** The projects of `pnpm test`. */
  test: [
    library,
    unit,
    // `pnpm test:quick` runs sqlite-memory.
    ...http.filter(({ name }) => name !== 'http on sqlite-memory'),
    {
      ...processes,
      name: 'process',
      include: ['test/process/**/*.test.ts', 'test/readme.test.ts'],
    },
  ],
  /**
   * `pnpm test:quick`: the library, and what the service does without a server
   * or another process. Leaves out tests of the library that start compilers or
   * a server, or take long. With QUICK, property tests generate fewer values.
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
    // Leaves out limits.test.ts, which waits for timeouts of the server.
    {
      ...unit,
      exclude: ['test/sockets/limits.test.ts'],
      env: { ...unit.env, QUICK: '1' },
    },
    ...http.filter(({ name }) => name === 'http on sqlite-memory'),
    profile,
  ],
  /**
   * `pnpm test:surroundings`: the service with PgBouncer, backup tools and a
   * trace collector, and the packed library and client in separate projects.
   */
  surroundings: [
    {
      ...processes,
      name: 'surroundings',
      include: ['test/surroundings/**/*.test.ts'],
    },
    { ...library, name: 'packages', include: SLOW, exclude: [] },
    { ...BUSY, name: 'api-client', root: 'apps/api-client' },
  ],
  /**
   * Tests in Chromium, which must be installed. `pnpm test:browser`: the
   * service, also behind proxies. `pnpm docs:test`: the built site and
   * inspector.
   */
  browser: [
    browser('browser', 'apps/api', 'test/browser/**/*.test.ts'),
    browser('site', 'docs'),
    browser('inspector', 'apps/inspector'),
  ],
  /**
   * `pnpm test:lab`: a short run of the history, and the peers of the
   * benchmark. They occupy all cores, so `pnpm test` leaves them out.
   */
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
      // Measures coverage with --coverage, which `.ci/run nightly` passes.
      provider: 'istanbul',
      // The patterns start at the root of the workspace, or with --project at
      // the roots of the projects.
      include: ['{apps/api/,packages/typed-id/,}src/**/*.ts'],
      // Files that only other processes run, so coverage does not see them.
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
