import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { REPOSITORY } from 'testkit/documents.ts'
import { afterAll } from 'vitest'
import { newPage, open, PAGES, serveSite } from './pages.ts'

/** A block of code as the copy button of its page copies it. */
export interface Block {
  /** The path of the page without `.html`, such as `guide/start`. */
  readonly page: string
  /** The id of the second-level heading above the block, or an empty string. */
  readonly section: string
  readonly language: string
  /** The file name that the page shows above the block. */
  readonly file: string | undefined
  readonly isFragment: boolean
  readonly code: string
}

/** The pages from which people copy. Other pages are about the service. */
const COPIED = /^(index|recipes|guide|benchmarks|comparison)/

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
          isFragment: element.matches('.fragment'),
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
 * A folder with the code blocks of a page. A section with an install line has a
 * separate folder, which also contains the blocks before the first heading.
 */
export interface Place {
  /**
   * The path of the page, with the section if it has a separate folder, such as
   * `guide/frameworks/hono`.
   */
  readonly name: string
  /** The packages in the install lines, such as `hono` and `typescript@5`. */
  readonly packages: readonly string[]
  /** The folder that contains all places with the same packages. */
  readonly project: string
  readonly folder: string
  readonly files: readonly (Block & { readonly path: string })[]
}

export const ROOT = fileURLToPath(REPOSITORY)
export const WORK = mkdtempSync(join(tmpdir(), 'typed-id-copy-'))

const namedIn = (blocks: readonly Block[]) =>
  blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ code }) => code.match(/^npm install .+$/gm) ?? [])
    .flatMap((line) => line.split(' ').slice(2))
    .filter((word) => !word.startsWith('-') && word !== 'typed-id')

const hasInstallLine = (blocks: readonly Block[]) =>
  blocks.some(({ code }) => /^npm install /m.test(code))

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
  const project = join(WORK, packages.join('+').replaceAll('/', '-') || 'none')
  const folder = join(project, name)
  const files = blocks.map((block, n) => ({
    ...block,
    path: join(folder, block.file ?? `block-${n + 1}.${block.language}`),
  }))
  return { name, packages, project, folder, files }
}

/**
 * Writes the blocks into their folders, and installs the packages. One run of
 * pnpm installs all projects, and lets each project import only its own
 * packages.
 */
export async function install(places: readonly Place[]): Promise<void> {
  const packing = pnpm(
    ROOT,
    ...['--filter', 'typed-id', 'pack', '--out', join(WORK, 'typed-id.tgz')],
  )
  write(join(WORK, 'package.json'), {
    devDependencies: { '@types/node': '24' },
  })
  write(join(WORK, 'pnpm-workspace.yaml'), {
    packages: ['*'],
    ignoreScripts: true,
    minimumReleaseAge: 0,
    // Rejects unsuitable peers, as npm does.
    strictPeerDependencies: true,
  })
  for (const { project, packages, files } of places) {
    const dependencies = packages.map((name) => {
      const [, id, version = 'latest'] = /^(.+?)(?:@([^@]+))?$/.exec(name) ?? []
      return [id, version]
    })
    write(join(project, 'package.json'), {
      type: 'module',
      dependencies: {
        'typed-id': `file:${join(WORK, 'typed-id.tgz')}`,
        ...Object.fromEntries(dependencies),
      },
    })
    for (const { path, code } of files) {
      if (existsSync(path)) throw new Error(`two blocks are ${path}`)
      mkdirSync(dirname(path), { recursive: true })
      writeFileSync(path, code)
    }
  }
  await packing
  await pnpm(WORK, 'install', '--prefer-offline')
}

function write(file: string, content: object): void {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(content))
}

async function pnpm(cwd: string, ...args: string[]): Promise<void> {
  const { code, output } = await run(cwd, 'npx', ['--yes', 'pnpm@12', ...args])
  if (code !== 0) throw new Error(output)
}

export const runCommands = (
  { project, folder }: Place,
  commands: string,
  env: NodeJS.ProcessEnv,
) =>
  run(folder, 'bash', ['-e', '-o', 'pipefail', '-c', commands], {
    PATH: `${project}/node_modules/.bin${delimiter}${process.env.PATH}`,
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
