import { execFile } from 'node:child_process'
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { REPOSITORY } from 'testkit/repository.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Block, copyBlocks } from './copied.ts'

/*
 * Does what a reader does: copies each block of the built site by its button into an empty strict project, installs what
 * the page names, compiles it and runs it.
 */

const ROOT = fileURLToPath(REPOSITORY)
const WORK = mkdtempSync(join(tmpdir(), 'typed-id-copy-'))

/** A folder with the blocks of a page, or of a section that has an install line of its own. */
interface Place {
  readonly folder: string
  readonly packages: readonly string[]
  readonly blocks: readonly Block[]
}

const STRICT = {
  target: 'esnext',
  module: 'nodenext',
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  verbatimModuleSyntax: true,
  rewriteRelativeImportExtensions: true,
  moduleDetection: 'force',
  jsx: 'react-jsx',
  skipLibCheck: true,
  types: ['node'],
}
/** What Next writes into the file when it starts. */
const NEXT = { module: 'esnext', moduleResolution: 'bundler' }

let server: Awaited<ReturnType<typeof startPostgres>>
let blocks: readonly Block[] = []
let places: readonly Place[] = []

/** Runs a program, with the commands of the packages that a folder sees. */
const run = (command: string, args: string[], cwd: string, env = {}) =>
  promisify(execFile)(command, args, {
    cwd,
    env: { ...process.env, CI: '1', ...env },
    maxBuffer: 1e8,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, output: stdout + stderr }),
  )

beforeAll(async () => {
  const packing = run(
    'npx',
    [
      '--yes',
      'pnpm@12',
      '--filter',
      'typed-id',
      'pack',
      '--out',
      join(WORK, 'typed-id.tgz'),
    ],
    ROOT,
  )
  blocks = await copyBlocks()
  places = toPlaces(blocks)
  server = await startPostgres()
  const admin = new pg.Client(server.url)
  await admin.connect()
  for (const n of places.keys()) await admin.query(`create database place_${n}`)
  await admin.end()
  await packing
  await install()
}, 300_000)
afterAll(async () => {
  await server.stop()
  if (!process.env.KEEP) rmSync(WORK, { recursive: true, force: true })
})

/** Returns the packages that the install lines of the blocks name. */
const named = (blocks: readonly Block[]) =>
  blocks.flatMap(({ language, code }) =>
    language === 'sh'
      ? [...code.matchAll(/^npm install (.+)$/gm)].flatMap(([, words = '']) =>
          words.split(' ').filter((word) => !word.startsWith('-')),
        )
      : [],
  )

/**
 * The blocks before the first heading are for the whole page. A section with
 * an install line is a place of its own.
 */
function toPlaces(blocks: readonly Block[]): Place[] {
  return [...Map.groupBy(blocks, ({ page }) => page)].flatMap(([page, all]) => {
    const above = all.filter(({ section }) => section === '')
    const sections = Map.groupBy(all, ({ section }) => section)
    const own = [...sections].filter(
      ([section, inside]) => section !== '' && named(inside).length > 0,
    )
    const rest = all.filter(
      ({ section }) => !own.some(([name]) => name === section),
    )
    return [
      toPlace(page, rest),
      ...own.map(([section, inside]) =>
        toPlace(join(page, section), [...above, ...inside]),
      ),
    ]
  })
}

function toPlace(name: string, blocks: readonly Block[]): Place {
  const packages = [...new Set(named(blocks))]
    .filter((name) => name !== 'typed-id')
    .sort()
  const project = packages.join('+').replaceAll('/', '-') || 'typed-id'
  return { folder: join(WORK, project, name), packages, blocks }
}

/** Installs the packages of all projects, each of which sees its own only. */
async function install(): Promise<void> {
  const typedId = `file:${join(WORK, 'typed-id.tgz')}`
  const write = (file: string, content: object) =>
    writeFileSync(join(WORK, file), JSON.stringify(content))
  write('package.json', { devDependencies: { '@types/node': '24' } })
  write('pnpm-workspace.yaml', {
    packages: ['*'],
    ignoreScripts: true,
    preferOffline: true,
    minimumReleaseAge: 0,
  })
  for (const { folder, packages, blocks } of places) {
    const project = relative(WORK, folder).split('/')[0] ?? ''
    mkdirSync(folder, { recursive: true })
    write(join(project, 'package.json'), {
      name: project
        .slice(0, 100)
        .toLowerCase()
        .replace(/[^a-z]+/g, '-'),
      type: 'module',
      dependencies: Object.fromEntries([
        ['typed-id', typedId],
        ...packages.map((name) => {
          const at = name.lastIndexOf('@')
          return at > 0
            ? [name.slice(0, at), name.slice(at + 1)]
            : [name, 'latest']
        }),
      ]),
    })
    for (const [n, block] of blocks.entries()) {
      const file = join(folder, fileOf(block, n))
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, block.code)
    }
  }
  const { code, output } = await run(
    'npx',
    ['--yes', 'pnpm@12', 'install'],
    WORK,
  )
  if (code !== 0) throw new Error(output)
}

const fileOf = ({ file, language }: Block, n: number) =>
  file ?? `block-${n + 1}.${language}`

const isCode = ({ language }: Block) => /^(tsx?|js)$/.test(language)

/** Returns the files of code of a place that have to work. */
const filesOf = ({ folder, blocks }: Place) =>
  blocks.flatMap((block, n) =>
    isCode(block) && !block.isFragment ? [join(folder, fileOf(block, n))] : [],
  )

/** Returns what the page adds to `compilerOptions`. */
const optionsOf = ({ packages, blocks }: Place) => ({
  ...(packages.includes('next') && NEXT),
  ...blocks
    .filter(({ file }) => file === 'tsconfig.json')
    .map(({ code }) => JSON.parse(code).compilerOptions)[0],
})

/** Returns the URL of the database of a place. */
function databaseOf(place: Place): string {
  const url = new URL(server.url)
  url.pathname = `place_${places.indexOf(place)}`
  return url.href
}

/** Runs commands of the packages that a place sees. */
function inProject(place: Place, commands: string) {
  const { folder } = place
  const project = join(WORK, relative(WORK, folder).split('/')[0] ?? '')
  const env = {
    PATH: `${join(project, 'node_modules/.bin')}${delimiter}${process.env.PATH}`,
    DATABASE_URL: databaseOf(place),
    // Only migrations need the engine, which is not in any npm package.
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    CHECKPOINT_DISABLE: '1',
  }
  return run('bash', ['-e', '-o', 'pipefail', '-c', commands], folder, env)
}

test('every command runs, without its prompt and its output', async () => {
  const wrong: string[] = []
  for (const place of places)
    for (const { language, code } of place.blocks) {
      if (!/^(sh|console)$/.test(language)) continue
      const commands = code.replace(/^npm install .+$/gm, '').trim()
      if (commands === '') continue
      const result = await inProject(place, commands)
      // The command reports an invalid id by its status.
      if (result.code !== 0 && !/invalid/.test(result.output))
        wrong.push(`${place.folder}: ${commands}\n${result.output}`)
    }
  expect(wrong).toEqual([])
})

test('every statement of SQL runs', async () => {
  for (const place of places) {
    const statements = place.blocks.filter(
      ({ language, isFragment }) => language === 'sql' && !isFragment,
    )
    if (statements.length === 0) continue
    // Files that a command of the page has written.
    const own = place.blocks.map(fileOf)
    const written = globSync('*.sql', { cwd: place.folder }).filter(
      (file) => !own.includes(file),
    )
    const client = new pg.Client(databaseOf(place))
    await client.connect()
    for (const file of written)
      await client.query(readFileSync(join(place.folder, file), 'utf8'))
    for (const { code } of statements) await client.query(code)
    await client.end()
  }
})

/** Returns the errors of a compiler, which writes JavaScript if it is told. */
async function compile(compiler: string, emits: boolean): Promise<string> {
  const programs = Map.groupBy(places, (place) =>
    JSON.stringify(optionsOf(place)),
  )
  let errors = ''
  for (const [options, inside] of programs) {
    const files = inside.flatMap(filesOf).filter((file) => !/js$/.test(file))
    const compilerOptions = {
      ...STRICT,
      ...JSON.parse(options),
      noEmit: !emits,
    }
    const file = join(WORK, 'tsconfig.json')
    writeFileSync(file, JSON.stringify({ compilerOptions, files }))
    const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc')
    errors += (await run(process.execPath, [tsc, '-p', file], WORK)).stdout
  }
  return errors
}

test('at most one in ten blocks is a fragment', () => {
  const pages = Map.groupBy(blocks, ({ page }) => page)
  const count = (blocks: readonly Block[]) => ({
    blocks: blocks.length,
    fragments: blocks.filter(({ isFragment }) => isFragment).length,
  })
  console.table(
    [...pages].map(([page, blocks]) => ({ page, ...count(blocks) })),
  )
  const { fragments } = count(blocks)
  expect(blocks.length).toBeGreaterThan(80)
  expect(fragments).toBeLessThanOrEqual(blocks.length / 10)
})

test('every block compiles with TypeScript 7', async () => {
  expect(await compile('typescript-7', true)).toBe('')
})

test('every block compiles with TypeScript 6', async () => {
  expect(await compile('typescript', false)).toBe('')
})

/** Runs modules in order, and prints the error of each that throws. */
const RUN = `const errors = {}
for (const file of process.argv.slice(1))
  await import(file).catch((error) => { errors[file] = String(error) })
console.log('\\n' + JSON.stringify(errors))
process.exit()`

test('every block runs', async () => {
  const wrong: string[] = []
  const queue = [...places]
  const runNext = async () => {
    for (let place = queue.pop(); place; place = queue.pop()) {
      const errors = await runModules(place)
      wrong.push(...errors.map((error) => `${place.folder}: ${error}`))
    }
  }
  await Promise.all([runNext(), runNext()])
  expect(wrong).toEqual([])
})

/** Returns what throws, and does not say so. */
async function runModules(place: Place): Promise<string[]> {
  const { folder, packages, blocks } = place
  if (packages.includes('next')) return [] // which compiles its files itself
  if (packages.includes('vitest')) {
    const { code, output } = await inProject(place, 'vitest run')
    return code === 0 ? [] : [output]
  }
  const files = filesOf(place).map((file) => file.replace(/tsx?$/, 'js'))
  const args = ['--input-type=module', '-e', RUN, ...files]
  const { stdout, output } = await run(process.execPath, args, folder, {
    DATABASE_URL: databaseOf(place),
  })
  const [, errors] = /\n(\{.*\})\n$/.exec(stdout) ?? []
  if (errors === undefined) return [output]
  return Object.entries<string>(JSON.parse(errors)).flatMap(([file, error]) => {
    const isStated = blocks.some(({ code }) =>
      code.replaceAll(/\n\/\/ {3}/g, ' ').includes(`// → ${error}`),
    )
    return isStated ? [] : [`${file}: ${error}`]
  })
}
