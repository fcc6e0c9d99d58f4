import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { REPOSITORY } from 'testkit/documents.ts'
import { afterAll } from 'vitest'
import { newPage, open, PAGES, serveSite } from './pages.ts'

export interface Block {
  readonly page: string
  readonly section: string
  readonly language: string
  readonly file: string | undefined
  /**
   * The word after the language on the first line of a Markdown code block:
   * `twoslash`, or the folder of a recipe in integrations/.
   */
  readonly mark: string
  readonly code: string
}

export const NIGHTLY = Boolean(process.env.NIGHTLY)

/** All pages but generated ones, and those whose code other tests run. */
const COPIED =
  /^(?!reference|changelog|service\/front-end|guide\/in-your-framework)/

export async function copyBlocks(): Promise<Block[]> {
  const url = await serveSite(afterAll)
  const page = await newPage({}, afterAll)
  await page.addInitScript(() => {
    const writeText = async (text: string) => {
      Object.assign(window, { copied: text })
    }
    Object.defineProperty(navigator, 'clipboard', { value: { writeText } })
  })
  const blocks: Block[] = []
  for (const path of PAGES.filter((path) => COPIED.test(path))) {
    await open(page, url + path)
    const found = await page.evaluate(() => {
      let section = ''
      const shown = '.vp-doc :is(h2, div[class*="language-"])'
      return [...document.querySelectorAll(shown)].flatMap((element) => {
        if (element.tagName === 'H2') section = element.id
        const button = element.querySelector<HTMLElement>('button.copy')
        if (!button) return []
        Object.assign(window, { copied: undefined })
        button.click()
        const name = element.previousElementSibling
        return {
          section,
          language: /language-(\w*)/.exec(element.className)?.[1] ?? '',
          file: name?.matches('p.file') ? name.textContent : undefined,
          mark: (element as HTMLElement).dataset.mark ?? '',
          code: (window as unknown as { copied: string }).copied,
        }
      })
    })
    const name = path.replace(/\.html$/, '')
    blocks.push(...found.map((block) => ({ page: name, ...block }) as Block))
  }
  return blocks
}

/**
 * A folder with the code blocks of a page. Each section with an `npm install`
 * has its own folder, which also contains the blocks before the first heading.
 */
export interface Place {
  readonly name: string
  readonly packages: readonly string[]
  readonly project: string
  readonly folder: string
  readonly files: readonly (Block & { readonly path: string })[]
}

export const ROOT = fileURLToPath(REPOSITORY)
export const WORK = mkdtempSync(join(tmpdir(), 'typed-id-copy-'))

const namedIn = (blocks: readonly Block[]) =>
  blocks
    .flatMap(installLines)
    .flatMap((line) => line.split(' ').slice(2))
    .filter((word) => !word.startsWith('-') && word !== 'typed-id')

const hasInstallLine = (blocks: readonly Block[]) =>
  blocks.some((block) => installLines(block).length > 0)

export function toPlaces(blocks: readonly Block[]): Place[] {
  return [...Map.groupBy(blocks, ({ page }) => page)].flatMap(([page, all]) => {
    const sections = Map.groupBy(all, ({ section }) => section)
    const above = sections.get('') ?? []
    const own = [...sections].filter(
      ([name, inside]) => name !== '' && hasInstallLine(inside),
    )
    const rest = all.filter((block) => !own.flat(2).includes(block))
    return [
      ...(rest.length > 0 ? [toPlace(page, rest)] : []),
      ...own.map(([name, inside]) =>
        toPlace(`${page}/${name}`, [...above, ...inside]),
      ),
    ]
  })
}

function toPlace(name: string, blocks: readonly Block[]): Place {
  const packages = [...new Set(namedIn(blocks))].sort()
  // Places with the same key share an installation. To save time, only the
  // nightly run separates packages without a version.
  const key = packages.filter((one) => NIGHTLY || /.@/.test(one))
  const project = join(WORK, key.join('+').replaceAll('/', '-') || 'all')
  const folder = join(project, name)
  const files = blocks.map((block, n) => ({
    ...block,
    path: join(folder, block.file ?? `block-${n + 1}.${block.language}`),
  }))
  return { name, packages, project, folder, files }
}

export const hasRecipe = ({ files }: Place) =>
  files.some(({ mark }) => mark !== '' && mark !== 'twoslash')

export const START = join(WORK, 'start')

const INSTALLED_NODES = { oldest: '20', ...(NIGHTLY && { newest: 'latest' }) }
export type NodeName = 'oldest' | 'newest'
const PLATFORM = `node-${process.platform}-${process.arch}`
export const nodeOf = (name: NodeName) =>
  name in INSTALLED_NODES
    ? join(WORK, name, 'node_modules', PLATFORM, 'bin')
    : dirname(process.execPath)

/**
 * Sets up one folder with npm, which is slow, and copies this folder for each
 * project.
 */
export async function install(places: readonly Place[]): Promise<void> {
  const tarball = process.env.TYPED_ID_TARBALL ?? join(WORK, 'typed-id.tgz')
  const packing = ['pnpm@12', '--filter', 'typed-id', 'pack', '--out', tarball]
  if (!existsSync(tarball)) await must(ROOT, 'npx', '--yes', ...packing)
  for (const [name, version] of Object.entries(INSTALLED_NODES)) {
    mkdirSync(join(WORK, name))
    await npm(join(WORK, name), `npm install ${PLATFORM}@${version}`)
  }
  mkdirSync(START)
  const setup = places.flatMap(({ files }) => files).find(isSetup)
  if (!setup) throw new Error('no page sets up a project')
  await npm(START, setup.code.replace(' typed-id', ` ${tarball}`))
  for (const { files } of places)
    for (const { path, code } of files) {
      if (existsSync(path)) throw new Error(`two blocks are ${path}`)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, code)
    }
  const errors: string[] = []
  const projects = Map.groupBy(places, ({ project }) => project)
  await twoAtATime(projects, async ([project, inside]) => {
    await must(WORK, 'bash', '-ec', copyOf(project))
    for (const line of linesOf(inside))
      await npm(project, line).catch((error) => errors.push(String(error)))
  })
  if (errors.length > 0) throw new Error(errors.join('\n'))
}

export async function twoAtATime<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const queue = [...items]
  const next = async () => {
    for (let one = queue.pop(); one; one = queue.pop()) await work(one)
  }
  await Promise.all([next(), next()])
}

function linesOf(inside: readonly Place[]): Iterable<string> {
  if (NIGHTLY) {
    const lines = inside.flatMap(({ files }) => files.flatMap(installLines))
    return new Set(lines.map((line) => line.replace(/ typed-id(?= |$)/, '')))
  }
  const packages = new Set(inside.flatMap((place) => place.packages))
  return [`npm install ${[...packages].join(' ')}`.trim()]
}

/**
 * Copies packages as hard links, which is safe, because npm replaces files
 * instead of changing them.
 */
const copyOf = (project: string) => `mkdir -p '${project}'
cp ${START}/*.json '${project}'
cp -al ${START}/node_modules '${project}'
rm '${project}/node_modules/.package-lock.json'`

export const isSetup = ({ code }: Block) => code.startsWith('npm init')

const installLines = (block: Block): readonly string[] =>
  block.language !== 'sh' || isSetup(block)
    ? []
    : (block.code.match(/^npm install .+$/gm) ?? [])

/**
 * Uses the newest Node, because npm on Node 20 would not install the newest
 * version of some packages.
 */
async function npm(cwd: string, lines: string): Promise<void> {
  if (/^npm install$/.test(lines)) return
  await must(cwd, 'bash', '-ec', lines)
}

async function must(cwd: string, command: string, ...args: string[]) {
  const { code, output } = await run(cwd, command, args, {
    PATH: [nodeOf('newest'), process.env.PATH].join(delimiter),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
    npm_config_ignore_scripts: 'true',
  })
  if (code !== 0) throw new Error(`${args.join(' ')}\n${output}`)
}

export const runCommands = (
  { project, folder }: Place,
  commands: string,
  node: NodeName,
  env: NodeJS.ProcessEnv,
) =>
  run(folder, 'bash', ['-e', '-o', 'pipefail', '-c', commands], {
    PATH: [`${project}/node_modules/.bin`, nodeOf(node), process.env.PATH].join(
      delimiter,
    ),
    ...env,
  })

export const run = (
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
) =>
  promisify(execFile)(command, args, {
    cwd,
    env: { ...process.env, CI: '1', ...env },
    maxBuffer: 1e8,
  }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, output: stdout + stderr }),
  )
