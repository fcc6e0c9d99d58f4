/*
 * The compatibility run, `pnpm --filter typed-id run compat`: runs the
 * conformance checks on the packed tarball with every supported runtime and
 * bundler, and compiles a consumer. Of most tools, it takes the oldest and the
 * newest version. Chromium is not installed: set `CHROMIUM` to its path.
 * `compat hermes vite` runs the consumers whose name contains one of the words,
 * in any case.
 */
import { execFile } from 'node:child_process'
import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { OLDEST } from '../versions.ts'
import {
  bundle,
  consumer,
  excludeFromChecks,
  folder,
  install,
  node,
  pack,
  prepareConsumer,
  tool,
} from './install.ts'
import { writeMonorepo } from './monorepo.ts'

const { node: NODE, typescript: TYPESCRIPT, ...OLDEST_PEERS } = OLDEST
const NODES = [NODE, '26']
const TYPESCRIPTS = [TYPESCRIPT, '5.9.3', '6.0.3', '7.0.2']
/**
 * Peer versions for single consumers: the oldest and the newest version that
 * each subpath supports. All other consumers use `PEERS`.
 */
const PEER_SETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'oldest peers': OLDEST_PEERS,
  'newest peers': { zod: '4', kysely: '0.29', 'drizzle-orm': '0.45' },
}
const PEERS = {
  zod: '4',
  kysely: '0.28',
  'drizzle-orm': '0.45',
  '@types/node': '24',
  '@trpc/server': '11.25.2',
}

/** The packages to install, by the folder into which they are installed. */
const PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...Object.fromEntries(
    NODES.map((version) => [`node${version}`, { node: version }]),
  ),
  typescript: Object.fromEntries(
    TYPESCRIPTS.map((version) => [
      `typescript${version}`,
      `npm:typescript@${version}`,
    ]),
  ),
  tools: {
    bun: '1.4.5',
    deno: '2.9.6',
    miniflare: '4.20260730.0',
    'playwright-core': '1.65.1',
    esbuild: '0.28.2',
  },
  jest: { jest: '30.5.2', 'jest-environment-jsdom': '30.5.2' },
  bundlers: {
    vite: '8.3.8', // bundles with Rolldown
    webpack: '5.112.2',
    '@rspack/core': '2.3.3',
    parcel: '2.16.4',
  },
  hermes: {
    'hermes-engine-cli': '0.12.0',
    'react-native-get-random-values': '2.0.0',
    '@react-native/babel-preset': '0.86.3',
    '@babel/core': '7.29.13',
  },
}

/** A bundler may reject a name that one version of a peer lacks. */
const BUNDLERS = ['vite', 'webpack', 'rspack', 'parcel']

interface Consumer {
  readonly command: string
  readonly args: readonly string[]
  /** The folder of the packages that only this consumer needs. */
  readonly needs?: string
  readonly cwd?: string
}

const script = (needs: string, ...args: string[]): Consumer => ({
  command: process.execPath,
  args,
  needs,
})
const JEST = ['jest/bin/jest.js', 'jest-environment-jsdom'].map(
  (path) => `../jest/node_modules/${path}`,
)

const CONSUMERS: Readonly<Record<string, Consumer>> = {
  ...Object.fromEntries(
    NODES.flatMap((version) => [
      [
        `Node ${version}, ESM`,
        { command: node(version), args: ['esm.mjs'], needs: `node${version}` },
      ],
      [
        `Node ${version}, CommonJS`,
        { command: node(version), args: ['cjs.cjs'], needs: `node${version}` },
      ],
    ]),
  ),
  'Bun, ESM': { command: tool('bun'), args: ['esm.mjs'] },
  'Bun, CommonJS': { command: tool('bun'), args: ['cjs.cjs'] },
  'Deno, ESM': {
    command: tool('deno'),
    args: ['run', '--allow-all', 'esm.mjs'],
  },
  'Deno, CommonJS': {
    command: tool('deno'),
    args: ['run', '--allow-all', 'cjs.cjs'],
  },
  'JSR, publishing without upload': {
    command: tool('deno'),
    args: ['publish', '--dry-run', '--allow-dirty'],
    cwd: join(import.meta.dirname, '..'),
  },
  workerd: script('tools', 'hosts.mjs', 'workerd'),
  'Jest with jsdom': script(
    'jest',
    `${JEST[0]}`,
    '--rootDir=.',
    `--env=${JEST[1]}`,
    'jest.test.cjs',
  ),
  Chromium: script(
    'tools',
    'hosts.mjs',
    'chromium',
    process.env.CHROMIUM ?? '/usr/bin/chromium',
  ),
  'Hermes, with react-native-get-random-values': script(
    'hermes',
    'hermes.mjs',
    'polyfilled',
  ),
  'Hermes, without Web Crypto': script('hermes', 'hermes.mjs'),
  ...Object.fromEntries(
    Object.keys(PEER_SETS).flatMap((name) => {
      const cwd = join(folder, name)
      return [
        [name, { ...script('tools', 'esm.mjs'), cwd }],
        ...BUNDLERS.map((bundler) => [
          `${bundler}, ${name}`,
          { ...script('bundlers', 'hosts.mjs', bundler), cwd },
        ]),
      ]
    }),
  ),
}

// Does not read `exports` of a package.
const NODE10_CONSUMER = `import { defineId, type IdOf } from 'typed-id'
import { idSchema } from 'typed-id/zod'
export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const id: UserId = UserId.generate()
export const schema = idSchema(UserId)
`

// The compiler options of the builds. One build with each module resolution
// also checks the declarations of the peers, whose imports depend on the
// resolution.
const NODE16 = { module: 'node16', moduleResolution: 'node16' }
const BUNDLER = { module: 'esnext', moduleResolution: 'bundler' }
const BUILDS: readonly Readonly<Record<string, unknown>>[] = [
  {
    ...NODE16,
    isolatedDeclarations: true,
    files: ['consumer.ts', 'consumer.cts'],
  },
  { ...BUNDLER, isolatedDeclarations: true, files: ['consumer.ts'] },
  // The default resolution of `module: commonjs` up to TypeScript 5. TypeScript
  // 6 deprecates it, and TypeScript 7 has removed it.
  {
    module: 'commonjs',
    moduleResolution: 'node10',
    esModuleInterop: true, // required by zod's declarations
    files: ['node10.ts'],
  },
]

const words = process.argv.slice(2).map((word) => word.toLowerCase())
const isChosen = (name: string) =>
  words.length === 0 || words.some((word) => name.toLowerCase().includes(word))
let runs = 0
let failures = 0

pack()
await install('tools', PACKAGES.tools ?? {})
await prepareConsumer('consumer', PEERS)
bundle('worker.mjs')
bundle('page.mjs')
// zod's namespace has all locales, 60 kB, if a bundler cannot drop them.
const page = readFileSync(join(consumer, 'page.bundle.js'), 'utf8')
const isDutch = page.includes('Ongeldig')
if (isChosen('esbuild'))
  report('esbuild, without the locales of zod', 1, isDutch ? ['Dutch'] : [])
for (const [name, peers] of Object.entries(PEER_SETS))
  if (Object.keys(CONSUMERS).some((one) => one.endsWith(name) && isChosen(one)))
    await prepareConsumer(name, peers)
excludeFromChecks()
// Runs the consumers one after another, because they write into one folder, and
// the compilers beside them.
await Promise.all([runAll(), compileAll()])
console.log(
  `\n${runs} runs and builds: ${failures ? `${failures} FAILED` : 'all passed'}`,
)
process.exitCode = failures || runs === 0 ? 1 : 0

async function runAll(): Promise<void> {
  for (const [name, { command, args, cwd, needs = 'tools' }] of Object.entries(
    CONSUMERS,
  ).filter(([name]) => isChosen(name))) {
    await install(needs, PACKAGES[needs] ?? {})
    const { status, stdout, stderr } = await run(command, args, cwd)
    // Jest prints its result on stderr.
    const last = stdout.trim().split('\n').at(-1) as string
    const { passed, failed } = last.startsWith('{')
      ? JSON.parse(last)
      : { passed: 1, failed: [] }
    report(name, passed, status === 0 ? failed : [stderr || stdout])
  }
}

async function compileAll(): Promise<void> {
  const versions = TYPESCRIPTS.filter((version) =>
    isChosen(`TypeScript ${version}`),
  )
  if (versions.length > 0)
    await install('typescript', PACKAGES.typescript ?? {})
  cpSync(join(consumer, 'consumer.ts'), join(consumer, 'consumer.cts'))
  writeFileSync(join(consumer, 'node10.ts'), NODE10_CONSUMER)
  for (const version of versions) {
    for (const { files, ...options } of BUILDS) {
      if (
        options.moduleResolution === 'node10' &&
        Number.parseInt(version, 10) > 5
      )
        continue
      const compilerOptions = {
        ...options,
        strict: true,
        exactOptionalPropertyTypes: true,
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        declaration: true,
        // Checks the declarations of packages, but not those of the language
        // and the DOM.
        skipDefaultLibCheck: true,
        outDir: 'out',
      }
      writeFileSync(
        join(consumer, 'tsconfig.compat.json'),
        JSON.stringify({ compilerOptions, files }),
      )
      const name = `${options.moduleResolution}, ${files}`
      await compile(version, name, '-p', 'tsconfig.compat.json')
    }
    const project = writeMonorepo(consumer)
    await compile(version, 'monorepo', '-b', project, '--pretty', 'false')
  }
}

async function compile(version: string, name: string, ...args: string[]) {
  const tsc = `typescript/node_modules/typescript${version}/bin/tsc`
  const all = [join(folder, tsc), ...args]
  const { status, stdout, stderr } = await run(process.execPath, all)
  const failed = status === 0 ? [] : [stdout || stderr]
  report(`TypeScript ${version}, ${name}`, 1, failed)
}

function run(command: string, args: readonly string[], cwd = consumer) {
  return new Promise<{ status: unknown; stdout: string; stderr: string }>(
    (resolve) => {
      const options = { cwd, timeout: 300_000, maxBuffer: 1e8 }
      execFile(command, args, options, (error, stdout, stderr) =>
        resolve({
          status: error ? (error.code ?? error.signal) : 0,
          stdout,
          stderr: stderr || (error?.message ?? ''),
        }),
      )
    },
  )
}

function report(name: string, passed: number, failed: readonly string[]): void {
  runs++
  failures += failed.length
  console.log(
    `${failed.length ? 'FAILED' : 'passed'}  ${name.padEnd(52)} ${String(passed).padStart(5)}`,
  )
  for (const failure of failed) console.log(`        ${failure.slice(0, 2000)}`)
}
