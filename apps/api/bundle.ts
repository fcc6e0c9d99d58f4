import { execFileSync } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { build } from 'tsup'

const bundle = join(import.meta.dirname, 'bundle')
const modules = join(bundle, 'node_modules')

const UNUSED = [
  /\.(map|d\.[cm]?ts|tsx?|md|markdown)$/i,
  /^(\.bin|\.pnpm|\.modules\.yaml|\.pnpm-workspace-state.*|@types|typed-id)$/, // typed-id is in main.js
  /^better-sqlite3\/(deps|src|binding\.gyp)$/,
  new RegExp(`^better-sqlite3/prebuilds/(?!${process.platform}).*`),
  new RegExp(`^better-sqlite3/prebuilds/.*(?<!-${process.arch}\\.node)$`),
  /^swagger-ui-dist\/(?!swagger-ui\.css$|swagger-ui-bundle\.js$|package\.json$|LICENSE$|NOTICE$).*/,
]

await build({ outDir: bundle, sourcemap: false, silent: true })

const { name, version, license, engines } = JSON.parse(
  await readFile(join(import.meta.dirname, 'package.json'), 'utf8'),
)
await writeFile(
  join(bundle, 'package.json'),
  `${JSON.stringify({ name, version, license, type: 'module', engines })}\n`,
)

const deployed = await mkdtemp(join(tmpdir(), 'bundle-'))
const options = [
  '--filter',
  'api',
  'deploy',
  '--prod',
  '--silent',
  '--config.node-linker=hoisted',
]
execFileSync('pnpm', [...options, deployed], {
  stdio: ['ignore', 'ignore', 'inherit'],
})
await cp(join(deployed, 'node_modules'), modules, {
  recursive: true,
  filter: (source) => {
    const path = relative(join(deployed, 'node_modules'), source)
    return !UNUSED.some((pattern) => pattern.test(path))
  },
})
await rm(deployed, { recursive: true })
