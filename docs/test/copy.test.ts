import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Block,
  copyBlocks,
  install,
  isSetup,
  type NODES,
  nodeOf,
  type Place,
  ROOT,
  run,
  runCommands,
  START,
  toPlaces,
  WORK,
} from './places.ts'

/*
 * Does what a reader does: sets up an empty folder as the page Start says, by
 * npm, installs the packages that a page names, copies each block of the built
 * site by its button, and compiles and runs the blocks. By day, sections share
 * installations, and most pages run only on the newest Node, by TypeScript 7.
 */

const NIGHTLY = Boolean(process.env.NIGHTLY)

/** The pages for which Node 20 is too old, as they say. */
const NEWER =
  /audit-log|better-auth|drizzle|mikro-orm|hey-api|URLPattern|^recipes$|frameworks$/

/** The pages whose blocks run on the oldest Node by day, too. */
const BOTH = /^(index|guide\/(start|clients|zod-openapi))/

const isForOldest = (name: string) =>
  !NEWER.test(name) && (NIGHTLY || BOTH.test(name))

/** The commands of these pages need a clone of the repository, or the service. */
const IN_CLONE = /^(service|operations|performance|architecture|reliability)/

/** The compiler options that Next writes into tsconfig.json when it starts. */
const NEXT = { module: 'esnext', moduleResolution: 'bundler' }

let server: Awaited<ReturnType<typeof startPostgres>>
let blocks: readonly Block[] = []
let places: readonly Place[] = []

beforeAll(async () => {
  server = await startPostgres()
  blocks = await copyBlocks()
  places = toPlaces(blocks)
  await install(places)
  for (const n of places.keys())
    await query(server.url, `create database place_${n}`)
}, 900_000)
afterAll(async () => {
  await server.stop()
  rmSync(WORK, { recursive: true, force: true })
})

async function query(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

function environmentOf(place: Place) {
  const url = new URL(server.url)
  url.pathname = `place_${places.indexOf(place)}`
  return {
    DATABASE_URL: url.href,
    // Replaces Prisma's schema engine, which only migrations need and no npm
    // package contains.
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    CHECKPOINT_DISABLE: '1',
  }
}

const modulesOf = ({ files }: Place) =>
  files.filter(
    ({ language, isFragment }) => /^(tsx?|js)$/.test(language) && !isFragment,
  )

test('at most one in ten blocks is a fragment', () => {
  const count = (blocks: readonly Block[]) => {
    const fragments = blocks.filter(({ isFragment }) => isFragment).length
    return { blocks: blocks.length, fragments }
  }
  const pages = Map.groupBy(blocks, ({ page }) => page)
  console.table(
    [...pages].map(([page, blocks]) => ({ page, ...count(blocks) })),
  )
  const all = count(blocks)
  expect(all.blocks).toBeGreaterThan(120)
  expect(all.fragments).toBeLessThanOrEqual(all.blocks / 10)
})

test('every block imports only packages that its section installs', () => {
  const wrong = places.flatMap((place) =>
    modulesOf(place).flatMap(({ code }) =>
      [...code.matchAll(/^(?:import|\} from|import .* from) '([^'.#]+)'/gm)]
        .map(([, module = '']) => /^(@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? '')
        .filter((name) => !/^node:|^typed-id$/.test(name))
        .filter((name) => !place.packages.some((one) => one.startsWith(name)))
        .map((name) => `${place.name}: ${name}`),
    ),
  )
  expect(wrong).toEqual([])
})

test('every command runs, without its prompt and its output', async () => {
  const wrong: string[] = []
  for (const place of places)
    for (const file of place.files) {
      const { language, code } = file
      if (!/^(sh|console)$/.test(language) || isSetup(file)) continue
      const commands = code.replace(/^npm install .+$/gm, '').trim()
      if (commands === '') continue
      const environment = environmentOf(place)
      const script = IN_CLONE.test(place.name)
        ? `set -n\n${commands}`
        : commands
      const node = isForOldest(place.name) ? 'oldest' : 'newest'
      const result = await runCommands(place, script, node, environment)
      // Exit code 1 is right where typed-id reports an invalid id.
      const isReport = language === 'console' && /invalid/.test(result.output)
      if (result.code !== (isReport ? 1 : 0))
        wrong.push(`${place.name}: ${commands}\n${result.output}`)
    }
  expect(wrong).toEqual([])
})

test('every statement of SQL runs', async () => {
  let ran = 0
  for (const place of places) {
    const statements = place.files
      .filter(({ language, isFragment }) => language === 'sql' && !isFragment)
      .map(({ code }) => code)
    if (statements.length === 0) continue
    // SQL files that a command of the page has written.
    const written = globSync(join(place.folder, '*.sql')).filter(
      (file) => !place.files.some(({ path }) => path === file),
    )
    const functions = written.map((file) => readFileSync(file, 'utf8'))
    const { DATABASE_URL } = environmentOf(place)
    await query(DATABASE_URL, ...functions, ...statements)
    ran += statements.length
  }
  expect(ran).toBeGreaterThan(0)
})

test('every block compiles with TypeScript 7', async () => {
  expect(await compile('typescript-7', true)).toEqual([])
})

test.runIf(NIGHTLY)('every block compiles with TypeScript 6', async () => {
  expect(await compile('typescript', false)).toEqual([])
})

async function compile(compiler: string, emits: boolean): Promise<string[]> {
  // One program for each project, because TypeScript takes the copies of
  // typed-id as one, whose types then refer to the packages of one project.
  const programs = Map.groupBy(places, ({ packages, files, project }) => {
    const shown = files.find(({ file }) => file === 'tsconfig.json')
    return JSON.stringify({
      rootDir: project,
      typeRoots: [join(START, 'node_modules/@types')],
      ...(packages.includes('next') && NEXT),
      ...(shown && JSON.parse(shown.code).compilerOptions),
      noEmit: !emits,
    })
  })
  const errors: string[] = []
  for (const [options, inside] of programs) {
    const files = inside
      .flatMap(modulesOf)
      .map(({ path }) => path)
      .filter((path) => !path.endsWith('.js'))
    const file = join(WORK, 'tsconfig.json')
    const compilerOptions = JSON.parse(options)
    const extended = {
      extends: './start/tsconfig.json',
      compilerOptions,
      files,
    }
    writeFileSync(file, JSON.stringify(extended))
    const tsc = join(ROOT, 'node_modules', compiler, 'bin/tsc')
    const { code, output } = await run(WORK, process.execPath, [tsc, '-p', '.'])
    if (code !== 0) errors.push(output)
  }
  return errors
}

test.each(['oldest', 'newest'] as const)(
  'every block runs on the %s Node',
  async (node) => {
    const wrong: string[] = []
    const queue = places.filter(
      ({ name }) => node === 'newest' || isForOldest(name),
    )
    const runNext = async () => {
      for (let place = queue.pop(); place; place = queue.pop()) {
        const errors = await runModules(place, node)
        wrong.push(...errors.map((error) => `${place.name}: ${error}`))
      }
    }
    await Promise.all([runNext(), runNext()])
    expect(wrong).toEqual([])
  },
)

/**
 * A program that imports modules in order, and prints the error of each module
 * that throws.
 */
const IMPORT = `const errors = []
for (const file of process.argv.slice(1))
  await import(file).catch((error) => errors.push(String(error)))
console.log('\\n' + JSON.stringify(errors))
process.exit()`

/**
 * Runs the modules of a place. Returns the errors that the page does not show.
 */
async function runModules(
  place: Place,
  node: keyof typeof NODES,
): Promise<string[]> {
  const { folder, packages, files } = place
  if (packages.includes('next')) return [] // Next runs its own files
  const env = environmentOf(place)
  if (packages.includes('vitest')) {
    const { code, output } = await runCommands(place, 'vitest run', node, env)
    return code === 0 ? [] : [output]
  }
  const compiled = modulesOf(place).map(({ path }) =>
    path.replace(/tsx?$/, 'js'),
  )
  const args = ['--input-type=module', '-e', IMPORT, ...compiled]
  const program = join(nodeOf(node), 'node')
  const { stdout, output } = await run(folder, program, args, env)
  const [, errors] = /\n(\[.*\])\n$/.exec(stdout) ?? []
  if (errors === undefined) return [output]
  const shown = files
    .map(({ code }) => code.replaceAll(/\n\/\/ {3}/g, ' '))
    .join('\n')
  return (JSON.parse(errors) as string[]).filter(
    (error) => !shown.includes(`// → ${error}`),
  )
}
