/*
 * The compatibility run: runs the conformance cases on the packed tarball with every supported runtime, and compiles a
 * consumer with every supported TypeScript: `pnpm --filter typed-id run compat`. It installs the runtimes from npm into
 * a temporary folder, which the next run reuses. Chromium is not installed: set `CHROMIUM` to its path.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { SUBPATHS } from '../subpaths.ts'

const NODES = ['20', '22', '24', '26']
const TOOLS = [
  'bun@1.4.5',
  'deno@2.9.6',
  'miniflare@4.20260730.0',
  'playwright-core@1.65.1',
  'esbuild@0.28.2',
]
const JEST = ['jest@30.5.2', 'jest-environment-jsdom@30.5.2']
const TYPESCRIPTS = ['5.5.4', '5.6.3', '5.7.3', '5.8.3', '5.9.3', '6.0.3', '7.0.2']
const CHROMIUM = process.env.CHROMIUM ?? '/usr/bin/chromium'

const here = import.meta.dirname
const folder = join(tmpdir(), 'typed-id-compat')
const consumer = join(folder, 'consumer')
const tool = (name: string) => join(folder, 'tools/node_modules/.bin', name)
const node = (version: string) => join(folder, `node${version}/node_modules/node/bin/node`)
let cases = 0
let failures = 0
let runs = 0
const runtimes = new Set<string>()

install()
prepareConsumer()
for (const version of NODES) {
  runtime(`Node ${version}, ESM`, node(version), ['esm.mjs'])
  runtime(`Node ${version}, CommonJS`, node(version), ['cjs.cjs'])
}
runtime('Bun, ESM', tool('bun'), ['esm.mjs'])
runtime('Bun, CommonJS', tool('bun'), ['cjs.cjs'])
runtime('Deno, ESM', tool('deno'), ['run', '--allow-all', 'esm.mjs'])
runtime('Deno, CommonJS', tool('deno'), ['run', '--allow-all', 'cjs.cjs'])
runtime('workerd', node('24'), ['workerd.mjs'])
runtime('Jest with jsdom', node('24'), ['jest.mjs'])
runtime('Chromium', node('24'), ['chromium.mjs', CHROMIUM])
const compiled = compile()
console.log(
  `\n${runtimes.size} runtimes, ${runs} runs, ${cases} cases, ${compiled} TypeScript builds: ${failures ? `${failures} FAILED` : 'all passed'}`,
)
process.exitCode = failures ? 1 : 0

function install(): void {
  for (const version of NODES) npmInstall(`node${version}`, [`node@${version}`])
  npmInstall('tools', TOOLS)
  npmInstall('jest', JEST)
  for (const version of TYPESCRIPTS) npmInstall(`typescript${version}`, [`typescript@${version}`])
}

/** Does nothing if an earlier run has installed the packages, unless `force` is set. */
function npmInstall(name: string, packages: string[], force = false): void {
  const target = join(folder, name)
  if (existsSync(join(target, 'node_modules')) && !force) return
  mkdirSync(target, { recursive: true })
  writeFileSync(join(target, 'package.json'), '{ "private": true, "type": "module" }\n')
  execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...packages], {
    cwd: target,
    stdio: 'inherit',
  })
}

function prepareConsumer(): void {
  rmSync(consumer, { recursive: true, force: true })
  mkdirSync(consumer, { recursive: true })
  execFileSync('npx', ['--yes', 'pnpm@12', 'pack', '--pack-destination', consumer], {
    cwd: join(here, '..'),
    stdio: 'ignore',
  })
  const tarball = readdirSync(consumer).find((file) => file.endsWith('.tgz')) as string
  npmInstall('consumer', [`./${tarball}`, 'zod@4', 'kysely@0.28', '@types/node@24'], true)
  const names = SUBPATHS.map(({ name }) => name).join(', ')
  const imports = `
    ${SUBPATHS.map(({ name, specifier }) => `import * as ${name} from '${specifier}'`).join('\n')}
    import { conformance } from './conformance.mjs'
    import { vectors } from './vectors.mjs'
    const run = () => conformance({ ${names} }, vectors)
  `
  const requires = SUBPATHS.map(({ name, specifier }) => `${name}: require('${specifier}')`).join(', ')
  const files: Record<string, string> = {
    'vectors.mjs': `export const vectors = ${JSON.stringify(readVectors())}`,
    'esm.mjs': `${imports}console.log(JSON.stringify(await run()))`,
    'cjs.cjs': `const library = { ${requires} }
      Promise.all([import('./conformance.mjs'), import('./vectors.mjs')]).then(async ([{ conformance }, { vectors }]) =>
        console.log(JSON.stringify(await conformance(library, vectors))))`,
    'worker.mjs': `${imports}export default { fetch: async () => Response.json(await run()) }`,
    'page.mjs': `${imports}globalThis.result = await run()`,
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(consumer, name), text)
  for (const name of readdirSync(here)) if (name !== 'main.ts') cpSync(join(here, name), join(consumer, name))
  bundle('worker.mjs')
  bundle('page.mjs')
}

/** Returns the files of test/vectors by their names. */
function readVectors(): Record<string, unknown> {
  const vectors = join(here, '../test/vectors')
  const files = readdirSync(vectors).filter((file) => file.endsWith('.json'))
  return Object.fromEntries(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(vectors, file), 'utf8'))]),
  )
}

function bundle(name: string): void {
  const out = name.replace('.mjs', '.bundle.js')
  execFileSync(tool('esbuild'), [name, '--bundle', '--format=esm', `--outfile=${out}`, '--log-level=error'], {
    cwd: consumer,
  })
}

function runtime(name: string, command: string, args: string[]): void {
  runs++
  runtimes.add(name.split(',')[0] as string)
  const child = spawnSync(command, args, { cwd: consumer, encoding: 'utf8', timeout: 120_000 })
  let result = { passed: 0, failed: [(child.stderr || child.error?.message || child.stdout).slice(-2000)] }
  try {
    result = JSON.parse(child.stdout.trim().split('\n').at(-1) as string)
  } catch {}
  report(name, result.passed, result.failed)
}

function compile(): number {
  let builds = 0
  const variants = [
    { module: 'node16', moduleResolution: 'node16', isolatedDeclarations: true, files: ['consumer.ts'] },
    { module: 'esnext', moduleResolution: 'bundler', isolatedDeclarations: true, files: ['consumer.ts'] },
    {
      module: 'node16',
      moduleResolution: 'node16',
      isolatedDeclarations: false,
      files: ['inferred.ts', 'consumer.cts'],
    },
    { module: 'esnext', moduleResolution: 'bundler', isolatedDeclarations: false, files: ['inferred.ts'] },
    // The default of `module: commonjs` up to TypeScript 5. TypeScript 6 deprecates it and 7 does not have it.
    { module: 'commonjs', moduleResolution: 'node10', isolatedDeclarations: false, files: ['node10.ts'] },
  ]
  cpSync(join(consumer, 'consumer.ts'), join(consumer, 'consumer.cts'))
  for (const version of TYPESCRIPTS) {
    for (const { files, ...options } of variants) {
      if (options.moduleResolution === 'node10' && Number.parseInt(version, 10) > 5) continue
      builds++
      const config = {
        ...options,
        strict: true,
        exactOptionalPropertyTypes: true,
        target: 'es2022',
        lib: ['es2022', 'dom'],
        types: [],
        declaration: true,
        outDir: 'out',
      }
      writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify({ compilerOptions: config, files }))
      const tsc = join(folder, `typescript${version}/node_modules/.bin/tsc`)
      const { status, stdout } = spawnSync(tsc, ['-p', '.'], { cwd: consumer, encoding: 'utf8' })
      const name = `TypeScript ${version}, ${options.moduleResolution}, ${files.join(' ')}`
      report(name, status === 0 ? 1 : 0, status === 0 ? [] : [stdout.slice(0, 2000)])
    }
  }
  return builds
}

function report(name: string, passed: number, failed: string[]): void {
  cases += name.startsWith('TypeScript') ? 0 : passed + failed.length
  failures += failed.length
  console.log(`${failed.length ? 'FAILED' : 'passed'}  ${name.padEnd(52)} ${String(passed).padStart(5)}`)
  for (const failure of failed) console.log(`        ${failure}`)
}
