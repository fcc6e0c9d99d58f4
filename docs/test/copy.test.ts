import { globSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { startPostgres } from 'testkit/postgres.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Block,
  copyBlocks,
  hasRecipe,
  install,
  isSetup,
  NIGHTLY,
  type NodeName,
  nodeOf,
  type Place,
  ROOT,
  run,
  runCommands,
  START,
  toPlaces,
  twoAtATime,
  WORK,
} from './places.ts'

/*
 * Installs the packages that each page names, copies each code block of the
 * built site with its copy button, and compiles and runs the code.
 */

const NEEDS_NODE_ABOVE_20 =
  /audit-log|better-auth|drizzle|mikroorm|hey-api|URLPattern|^recipes$|frameworks$/

const ALWAYS_ON_NODE_20 = /^(index|guide\/(start|clients|zod-openapi))/

const isForOldest = (name: string) =>
  !NEEDS_NODE_ABOVE_20.test(name) && (NIGHTLY || ALWAYS_ON_NODE_20.test(name))

/**
 * The commands of these pages need a clone of this repository or a running
 * service. The test has neither, so it checks only the syntax.
 */
const IN_CLONE = /^(service|operations|performance|architecture|reliability)/

const NEXT = { module: 'esnext', moduleResolution: 'bundler' }

let server: Awaited<ReturnType<typeof startPostgres>>
let blocks: readonly Block[] = []
let copied: readonly Place[] = []
let places: readonly Place[] = []

beforeAll(async () => {
  server = await startPostgres()
  blocks = await copyBlocks()
  copied = toPlaces(blocks)
  // Only the nightly run tests recipes here, because integrations/ tests the
  // code of recipes in every run.
  places = copied.filter((place) => NIGHTLY || !hasRecipe(place))
  await install(places)
  for (const n of places.keys())
    await query(server.url, `create database place_${n}`)
}, 900_000)
afterAll(async () => {
  await server.stop()
  rmSync(WORK, { recursive: true, force: true })
}, 900_000)

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
    // Prisma would download its schema engine, which only migrations need.
    PRISMA_SCHEMA_ENGINE_BINARY: '/bin/true',
    CHECKPOINT_DISABLE: '1',
  }
}

const modulesOf = ({ files }: Place) =>
  files.filter(({ language }) => /^(tsx?|js)$/.test(language))

test('every block imports only packages that its section installs', () => {
  const wrong = copied.flatMap((place) =>
    modulesOf(place).flatMap(({ code }) =>
      [...code.matchAll(/^(?:import|\} from|import .* from) '([^'.#]+)'/gm)]
        .map(([, module = '']) => /^(@[^/]+\/)?[^/]+/.exec(module)?.[0] ?? '')
        .filter((name) => !/^node:|^typed-id$/.test(name))
        .filter((name) => !place.packages.some((one) => one.startsWith(name)))
        .map((name) => `${place.name}: ${name}`),
    ),
  )
  expect(wrong).toEqual([])
  expect(blocks.length).toBeGreaterThan(120)
})

test('every command runs, without its prompt and its output', async () => {
  const wrong: string[] = []
  for (const place of places)
    for (const file of place.files) {
      const { language, code } = file
      if (!/^(sh|console)$/.test(language) || isSetup(file)) continue
      // Removes npx, because PATH has the commands and npx takes 0.4 s each
      // time.
      const shown = NIGHTLY ? code : code.replaceAll(/\bnpx (?!-)/g, '')
      const commands = shown.replace(/^npm install .+$/gm, '').trim()
      if (commands === '') continue
      const environment = environmentOf(place)
      const script = IN_CLONE.test(place.name)
        ? `set -n\n${commands}`
        : commands
      const node = isForOldest(place.name) ? 'oldest' : 'newest'
      const result = await runCommands(place, script, node, environment)
      const reportsInvalidId =
        language === 'console' && /invalid/.test(result.output)
      if (result.code !== (reportsInvalidId ? 1 : 0))
        wrong.push(`${place.name}: ${commands}\n${result.output}`)
    }
  expect(wrong).toEqual([])
})

test('every statement of SQL runs', async () => {
  let ran = 0
  for (const place of places) {
    const statements = place.files
      .filter(({ language }) => language === 'sql')
      .map(({ code }) => code)
    if (statements.length === 0) continue
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

test('every block compiles', async () => {
  // Compiles the projects separately. In one compilation, TypeScript would
  // treat the copies of typed-id in all projects as one, whose imports would
  // find the peer dependencies of only one project.
  const programs = Map.groupBy(places, ({ packages, files, project }) => {
    const shown = files.find(({ file }) => file === 'tsconfig.json')
    return JSON.stringify({
      rootDir: project,
      typeRoots: [join(START, 'node_modules/@types')],
      ...(packages.includes('next') && NEXT),
      ...(shown && JSON.parse(shown.code).compilerOptions),
      noEmit: false,
    })
  })
  const errors: string[] = []
  await twoAtATime([...programs].entries(), async ([n, [options, inside]]) => {
    const files = inside
      .flatMap(modulesOf)
      .map(({ path }) => path)
      .filter((path) => !path.endsWith('.js'))
    const file = join(WORK, `tsconfig-${n}.json`)
    const compilerOptions = JSON.parse(options)
    const config = { extends: './start/tsconfig.json', compilerOptions, files }
    writeFileSync(file, JSON.stringify(config))
    const tsc = join(ROOT, 'node_modules/typescript-7/bin/tsc')
    const args = [tsc, '-p', file, '--singleThreaded']
    const { code, output } = await run(WORK, process.execPath, args)
    if (code !== 0) errors.push(output)
  })
  expect(errors).toEqual([])
})

test.each(['oldest', 'newest'] as const)(
  'every block runs on the %s Node',
  async (node) => {
    const wrong: string[] = []
    const running = places.filter(
      ({ name, packages }) =>
        (node === 'newest' || isForOldest(name)) && !packages.includes('next'), // Next runs its files itself
    )
    const projects = Map.groupBy(running, ({ project }) => project)
    await twoAtATime(projects.values(), async (inside) =>
      wrong.push(...(await runModules(inside, node))),
    )
    expect(wrong).toEqual([])
  },
)

const IMPORT = `const errors = []
for (const file of process.argv.slice(1)) {
  process.chdir(file.replace(/[^/]+$/, ''))
  await import(file).catch((error) => errors.push([file, String(error)]))
}
console.log('\\n' + JSON.stringify(errors))
process.exit()`

/**
 * Returns the errors that examples throw, except errors that their page shows
 * after `// →`.
 */
async function runModules(
  inside: readonly Place[],
  node: NodeName,
): Promise<string[]> {
  const [place] = inside
  if (!place) return []
  const env = environmentOf(place)
  if (place.packages.includes('vitest')) {
    const { code, output } = await runCommands(place, 'vitest run', node, env)
    return code === 0 ? [] : [output]
  }
  const shown = new Map<string, string>()
  for (const one of inside) {
    const text = one.files.map(({ code }) =>
      code.replaceAll(/\n\/\/ {3}/g, ' '),
    )
    for (const { path } of modulesOf(one))
      shown.set(path.replace(/tsx?$/, 'js'), text.join('\n'))
  }
  const args = ['--input-type=module', '-e', IMPORT, ...shown.keys()]
  const program = join(nodeOf(node), 'node')
  const { stdout, output } = await run(place.folder, program, args, env)
  const [, errors] = /\n(\[.*\])\n$/.exec(stdout) ?? []
  if (errors === undefined) return [output]
  return (JSON.parse(errors) as [string, string][])
    .filter(([file, error]) => !shown.get(file)?.includes(`// → ${error}`))
    .map(([file, error]) => `${file}: ${error}`)
}
