/*
 * Runs publint and Are The Types Wrong on the tarball that would be published, checks its files, and runs its documents
 * after it was packed under a scoped name: `pnpm --filter typed-id run package-check`.
 */
import { execFileSync, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { SourceMap } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve, sep } from 'node:path'
import { VECTORS } from '../build-vectors.ts'
import { LIBRARY, pack } from '../release/pack.ts'

const NAME = '@acme/typed-id'
const DECLARATION = /(?:declare (?:const|function|class)|^(?:export )?(?:interface|type)) (\w+)/
const folder = mkdtempSync(join(tmpdir(), 'typed-id-pack-'))
const tarball = pack(LIBRARY, folder, NAME)
const env = {
  ...process.env,
  PACKED_NAME: NAME,
  PACKED_IN: installed(),
  // npx prints neither warnings nor a spinner between the lines of the command.
  npm_config_loglevel: 'silent',
  npm_config_progress: 'false',
}
const failed = [
  ['publint', 'run', tarball, '--strict'],
  // The profile leaves out node10, a resolution without `exports`, which TypeScript 7 no longer has.
  ['attw', tarball, '--profile', 'node16'],
  ['vitest', 'run', 'test/package/readme.test.ts', '--testTimeout=180000'],
].filter(([command, ...args]) => spawnSync(command as string, args, { stdio: 'inherit', env }).status !== 0)
const wrong = checkContents(join(folder, 'package'))
for (const message of wrong) console.log(message)
if (wrong.length > 0) failed.push(['contents'])
rmSync(folder, { recursive: true })
console.log(
  `4 package checks: ${failed.length ? `${failed.map(([name]) => name).join(', ')} FAILED` : 'all passed'}`,
)
process.exitCode = failed.length ? 1 : 0

/** Installs the tarball into a project that has the packages of the README's snippets, and returns its folder. */
function installed(): string {
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }\n')
  execFileSync('npm', ['install', '--offline', '--no-audit', '--no-fund', '--legacy-peer-deps', tarball], {
    cwd: project,
    stdio: 'ignore',
  })
  // Node looks for packages in the folders above, too.
  symlinkSync(join(import.meta.dirname, '../node_modules'), join(folder, 'node_modules'))
  return project
}

/** Returns a message for each claim that does not hold for an unpacked package. */
function checkContents(folder: string): string[] {
  const missing = ['LICENSE', 'CHANGELOG.md', 'README.md', 'AGENTS.md'].filter(
    (file) => !existsSync(join(folder, file)),
  )
  const vectors = readFileSync(join(folder, 'dist/vectors.json'), 'utf8')
  const declarations = readdirSync(join(folder, 'dist')).filter((file) => /\.d\.c?ts$/.test(file))
  return [
    ...missing.map((file) => `${file} is missing`),
    ...(vectors === `${JSON.stringify(VECTORS, undefined, 1)}\n` ? [] : ['dist/vectors.json is stale']),
    ...declarations.flatMap((file) => checkDefinitions(folder, join(folder, 'dist', file))),
  ]
}

/** Follows the declaration map of each exported name to its definition, which must be in the package. */
function checkDefinitions(folder: string, file: string): string[] {
  const text = readFileSync(file, 'utf8')
  const map = new SourceMap(JSON.parse(readFileSync(`${file}.map`, 'utf8')))
  return text.split('\n').flatMap((line, number) => {
    const name = DECLARATION.exec(line)?.[1]
    if (!name) return []
    const entry = map.findEntry(number, line.indexOf(name, DECLARATION.exec(line)?.index))
    if (!('originalSource' in entry)) return [`${file}: ${name} is not in the declaration map`]
    const source = resolve(dirname(file), entry.originalSource)
    if (!source.startsWith(folder + sep) || !existsSync(source)) return [`${source} is missing`]
    const definition = readFileSync(source, 'utf8').split('\n')[entry.originalLine] ?? ''
    return definition.includes(name) ? [] : [`${file}: ${name} leads to "${definition}"`]
  })
}
