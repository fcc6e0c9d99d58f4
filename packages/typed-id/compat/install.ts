/* Installs the runtimes, the tools and the packed package into a temporary folder, which the next run reuses. */
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { LIBRARY, pack } from '../release/pack.ts'
import { SUBPATHS } from '../subpaths.ts'

const here = import.meta.dirname
export const folder = join(tmpdir(), 'typed-id-compat')
export const consumer = join(folder, 'consumer')
export const tool = (name: string) => join(folder, 'tools/node_modules/.bin', name)
export const node = (version: string) => join(folder, `node${version}/node_modules/node/bin/node`)

/** pnpm takes a third of npm's processor time. It lays the packages out as npm does, and runs their install scripts. */
const SETTINGS = `nodeLinker: hoisted
autoInstallPeers: false
dangerouslyAllowAllBuilds: true
ignoredOptionalDependencies: [sharp]
`

/** Installs packages into a folder of their own. Does nothing if an earlier run has installed all of them. */
export async function install(name: string, dependencies: Readonly<Record<string, string>>): Promise<void> {
  const target = join(folder, name)
  const manifest = join(target, 'package.json')
  if (existsSync(join(target, 'node_modules'))) {
    // A run with --ends installs fewer versions.
    const { dependencies: installed } = JSON.parse(readFileSync(manifest, 'utf8'))
    if (Object.entries(dependencies).every(([key, version]) => installed[key] === version)) return
  }
  mkdirSync(target, { recursive: true })
  writeFileSync(manifest, JSON.stringify({ private: true, type: 'module', dependencies }))
  writeFileSync(join(target, 'pnpm-workspace.yaml'), SETTINGS)
  const child = spawn('pnpm', ['install', '--prefer-offline', '--silent'], { cwd: target, stdio: 'inherit' })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`pnpm install of ${name} ended with ${code}`)
}

export async function prepareConsumer(): Promise<void> {
  rmSync(consumer, { recursive: true, force: true })
  mkdirSync(join(consumer, 'packed'), { recursive: true })
  const tarball = pack(LIBRARY, join(consumer, 'packed'))
  await install('consumer', {
    'typed-id': `file:${tarball}`,
    zod: '4',
    kysely: '0.28',
    'drizzle-orm': '0.45',
    '@types/node': '24',
  })
  excludeFromChecks(join(consumer, 'node_modules/drizzle-orm'))
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
  for (const name of readdirSync(here))
    if (!/^(main|install|contents|package-check)\.ts$/.test(name))
      cpSync(join(here, name), join(consumer, name))
  bundle('worker.mjs')
  bundle('page.mjs')
}

/** Returns the files of test/vectors by their names. */
export function readVectors(): Record<string, unknown> {
  const vectors = join(here, '../test/vectors')
  const files = readdirSync(vectors).filter((file) => file.endsWith('.json'))
  return Object.fromEntries(
    files.map((file) => [basename(file, '.json'), JSON.parse(readFileSync(join(vectors, file), 'utf8'))]),
  )
}

/** The declarations of drizzle-orm import drivers that are not installed, so the compilers use them without a check. */
function excludeFromChecks(declarations: string): void {
  for (const file of globSync(`${declarations}/**/*.d.{ts,cts}`))
    writeFileSync(file, `// @ts-nocheck\n${readFileSync(file, 'utf8')}`)
}

function bundle(name: string): void {
  const out = name.replace('.mjs', '.bundle.js')
  execFileSync(tool('esbuild'), [name, '--bundle', '--format=esm', `--outfile=${out}`, '--log-level=error'], {
    cwd: consumer,
  })
}
