import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { VECTORS } from '../build-vectors.ts'
import { SUBPATHS } from '../subpaths.ts'
import typeid from '../test/vectors/typeid.json' with { type: 'json' }

const here = import.meta.dirname
export const folder = join(homedir(), '.cache/typed-id-compat')
export const consumer = join(folder, 'consumer')
export const tool = (name: string) =>
  join(folder, 'tools/node_modules/.bin', name)

/**
 * pnpm copies files, because the tests edit installed files: an edit of a
 * linked file would also change pnpm's store.
 */
const SETTINGS = `nodeLinker: hoisted
autoInstallPeers: false
packageImportMethod: copy
dangerouslyAllowAllBuilds: true
ignoredOptionalDependencies: [sharp]
`

export async function install(
  name: string,
  dependencies: Readonly<Record<string, string>>,
): Promise<void> {
  const target = join(folder, name)
  const manifest = join(target, 'package.json')
  mkdirSync(target, { recursive: true })
  writeFileSync(
    manifest,
    JSON.stringify({ private: true, type: 'module', dependencies }),
  )
  writeFileSync(join(target, 'pnpm-workspace.yaml'), SETTINGS)
  const child = spawn(
    'pnpm',
    ['install', '--prefer-offline', '--no-frozen-lockfile', '--silent'],
    { cwd: target, stdio: 'inherit' },
  )
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`pnpm install of ${name} ended with ${code}`)
}

const TARBALL = join(folder, 'typed-id.tgz')

export function pack(): void {
  execFileSync(
    'pnpm',
    ['--dir', '..', 'pack', '--config.ignore-scripts=true', '--out', TARBALL],
    { cwd: here, stdio: 'ignore' },
  )
}

export async function prepareConsumer(
  name: string,
  peers: Readonly<Record<string, string>>,
): Promise<void> {
  const consumer = join(folder, name)
  rmSync(consumer, { recursive: true, force: true })
  await install(name, { 'typed-id': `file:${TARBALL}`, ...peers })
  const names = SUBPATHS.map(({ name }) => name).join(', ')
  const imports = `
    ${SUBPATHS.map(({ name, specifier }) => `import * as ${name} from '${specifier}'`).join('\n')}
    import { conformance } from './conformance.mjs'
    import { vectors } from './vectors.mjs'
    const run = () => conformance({ ${names} }, vectors)
  `
  const requires = SUBPATHS.map(
    ({ name, specifier }) => `${name}: require('${specifier}')`,
  ).join(', ')
  const files: Record<string, string> = {
    'vectors.mjs': `export const vectors = ${JSON.stringify({ ...VECTORS, typeid })}`,
    'esm.mjs': `${imports}console.log(JSON.stringify(await run()))`,
    'cjs.cjs': `const library = { ${requires} }
      Promise.all([import('./conformance.mjs'), import('./vectors.mjs')]).then(async ([{ conformance }, { vectors }]) =>
        console.log(JSON.stringify(await conformance(library, vectors))))`,
    'worker.mjs': `${imports}export default { fetch: async () => Response.json(await run()) }`,
    'page.mjs': `${imports}globalThis.result = run()`,
  }
  for (const [name, text] of Object.entries(files))
    writeFileSync(join(consumer, name), text)
  for (const name of readdirSync(here))
    if (!/^(main|install|monorepo)\.ts$/.test(name))
      cpSync(join(here, name), join(consumer, name))
}

/**
 * Disables type checks in the declarations of drizzle-orm, because these import
 * drivers that are not installed.
 */
export function excludeFromChecks(): void {
  for (const file of globSync(
    `${consumer}/node_modules/drizzle-orm/**/*.d.{ts,cts}`,
  ))
    writeFileSync(file, `// @ts-nocheck\n${readFileSync(file, 'utf8')}`)
}

export function bundle(name: string): void {
  const out = name.replace('.mjs', '.bundle.js')
  execFileSync(
    tool('esbuild'),
    [name, '--bundle', '--format=esm', `--outfile=${out}`, '--log-level=error'],
    { cwd: consumer },
  )
}
