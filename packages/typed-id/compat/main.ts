/*
 * `pnpm --filter typed-id run compat` tests the packed library with every
 * supported runtime, bundler and compiler. `compat hermes vite` tests only the
 * tools whose name contains `hermes` or `vite`.
 */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { OLDEST } from '../versions.ts'
import {
  bundle,
  consumer,
  excludeFromChecks,
  folder,
  install,
  pack,
  prepareConsumer,
  tool,
} from './install.ts'
import { writeMonorepo } from './monorepo.ts'

const { node: NODE, typescript: TYPESCRIPT, ...OLDEST_PEERS } = OLDEST
const TYPESCRIPTS = [TYPESCRIPT, '5.9.3', '6.0.3', '7.0.2']
const PEER_SETS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'oldest peers': {
    ...OLDEST_PEERS,
    ...{ next: '16.4.6', react: '19', 'react-dom': '19' },
  },
  'newest peers': { zod: '4', kysely: '0.29', 'drizzle-orm': '0.45' },
}
const PEERS = {
  zod: '4',
  kysely: '0.28',
  'drizzle-orm': '0.45',
  '@types/node': '24',
  '@trpc/server': '11.25.2',
}

const PACKAGES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [`node${NODE}`]: { node: NODE },
  node26: { node: '26' },
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
    vite: '8.3.8',
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

interface Consumer {
  readonly command: string
  readonly args: readonly string[]
  readonly needs?: string
  readonly cwd?: string
}

const script = (needs: string, ...args: string[]): Consumer => ({
  command: process.execPath,
  args,
  needs,
})
const runtime = (name: string, consumer: Consumer) =>
  Object.entries({ ESM: 'esm.mjs', CommonJS: 'cjs.cjs' }).map(
    ([format, file]): [string, Consumer] => [
      `${name}, ${format}`,
      { ...consumer, args: [...consumer.args, file] },
    ],
  )
const JEST = [
  '../jest/node_modules/jest/bin/jest.js',
  '--rootDir=.',
  '--env=../jest/node_modules/jest-environment-jsdom',
  'jest.test.cjs',
]

const CONSUMERS: Readonly<Record<string, Consumer>> = Object.fromEntries([
  ...[`node${NODE}`, 'node26'].flatMap((needs) =>
    runtime(needs.replace('node', 'Node '), {
      command: join(folder, needs, 'node_modules/node/bin/node'),
      args: [],
      needs,
    }),
  ),
  ...runtime('Bun', { command: tool('bun'), args: [] }),
  ...runtime('Deno', { command: tool('deno'), args: ['run', '--allow-all'] }),
  [
    'JSR, publishing without upload',
    {
      command: tool('deno'),
      args: ['publish', '--dry-run', '--allow-dirty'],
      cwd: join(import.meta.dirname, '..'),
    },
  ],
  ['workerd', script('tools', 'hosts.mjs', 'workerd')],
  ['Chromium', script('tools', 'hosts.mjs', 'chromium')],
  ['Jest with jsdom', script('jest', ...JEST)],
  ['Hermes', script('hermes', 'hermes.mjs')],
  [
    'Turbopack, oldest peers',
    {
      ...script('tools', 'hosts.mjs', 'turbopack'),
      cwd: join(folder, 'oldest peers'),
    },
  ],
  // Runs each bundler with the oldest and the newest version of each peer,
  // because a build fails if the library imports a name that a version lacks.
  ...Object.keys(PEER_SETS).flatMap((name) => {
    const cwd = join(folder, name)
    return [
      [name, { ...script('tools', 'esm.mjs'), cwd }],
      [`Kysely, ${name}`, { ...script('tools', 'kysely.mjs'), cwd }],
      ...['vite', 'webpack', 'rspack', 'parcel'].map((bundler) => [
        `${bundler}, ${name}`,
        { ...script('bundlers', 'hosts.mjs', bundler), cwd },
      ]),
    ]
  }),
])

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
// The bundle must not contain the locales of zod (60 kB). "Ongeldig" is a word
// of the Dutch locale.
const page = readFileSync(join(consumer, 'page.bundle.js'), 'utf8')
const isDutch = page.includes('Ongeldig')
if (isChosen('esbuild'))
  report('esbuild, without the locales of zod', 1, isDutch ? ['Dutch'] : [])
for (const [name, peers] of Object.entries(PEER_SETS))
  if (Object.keys(CONSUMERS).some((one) => one.endsWith(name) && isChosen(one)))
    await prepareConsumer(name, peers)
excludeFromChecks()
// The runtimes and bundlers share a folder, so they run one after another. The
// compilers use the idle processors at the same time.
await Promise.all([runAll(), compileAll()])
console.log(
  `\n${runs} runs and builds: ${failures ? `${failures} FAILED` : 'all passed'}`,
)
process.exitCode = failures || runs === 0 ? 1 : 0

async function runAll(): Promise<void> {
  for (const [name, consumer] of Object.entries(CONSUMERS)) {
    if (!isChosen(name)) continue
    const { command, args, cwd, needs = 'tools' } = consumer
    await install(needs, PACKAGES[needs] ?? {})
    const { status, stdout, stderr } = await run(command, args, cwd)
    // Jest and `deno publish` print no JSON result in the last line of stdout,
    // so only their exit codes count.
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
  for (const version of versions) {
    const tsc = `typescript/node_modules/typescript${version}/bin/tsc`
    const project = writeMonorepo(consumer, version)
    const args = [join(folder, tsc), '-b', project, '--pretty', 'false']
    const { status, stdout, stderr } = await run(process.execPath, args)
    const failed = status === 0 ? [] : [stdout || stderr]
    report(`TypeScript ${version}`, 1, failed)
  }
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
