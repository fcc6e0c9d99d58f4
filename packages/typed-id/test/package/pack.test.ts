import { execFile, execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { REPOSITORY } from 'testkit/documents.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SUBPATHS } from '../../subpaths.ts'
import { OLDEST } from '../../versions.ts'

const root = fileURLToPath(REPOSITORY)
const folder = mkdtempSync(join(tmpdir(), 'typed-id-pack-'))
const tarball = join(folder, 'typed-id.tgz')
const env = {
  ...Object.fromEntries(
    Object.entries(process.env).filter(
      ([name]) => !/^(npm|pnpm|node|vite)/i.test(name),
    ),
  ),
  PATH: process.env.PATH?.split(delimiter)
    .filter((path) => !path.startsWith(root))
    .join(delimiter),
  // npm's default timeout of five minutes is longer than the test may take.
  npm_config_fetch_timeout: '20000',
}
const run = async (cwd: string, command: string, ...args: string[]) =>
  (await promisify(execFile)(command, args, { cwd, env, maxBuffer: 1e8 }))
    .stdout

async function installed(
  name: string,
  packages: string[],
  ...flags: string[]
): Promise<string> {
  const project = join(folder, name)
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), '{ "private": true }\n')
  const offline = ['--prefer-offline', '--no-audit', '--no-fund']
  const args = [...offline, '--ignore-scripts', ...packages, ...flags]
  await run(project, 'npm', 'install', tarball, ...args)
  return project
}

beforeAll(async () => {
  const pack = ['pnpm@12', '--filter', 'typed-id', 'pack', '--out', tarball]
  const { TYPED_ID_TARBALL } = process.env
  if (TYPED_ID_TARBALL) cpSync(TYPED_ID_TARBALL, tarball)
  else await run(root, 'npx', '--yes', ...pack)
  execFileSync('tar', ['-xzf', tarball], { cwd: folder })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the packed package', () => {
  const readManifest = () =>
    JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'))

  // Ignores the rules against a `.d.cts` for `import`, which the package uses
  // intentionally. attw's `node16` omits `node10`, which ignores `exports`.
  test('passes publint and attw', async () => {
    const { messages } = await publint({
      pkgDir: join(folder, 'package'),
      pack: false,
      strict: true,
    })
    expect(
      messages.filter(({ code }) => code !== 'EXPORTS_TYPES_INVALID_FORMAT'),
    ).toEqual([])
    const options = ['--profile', 'node16', '--ignore-rules', 'false-cjs']
    const attw = join(root, 'packages/typed-id/node_modules/.bin/attw')
    await promisify(execFile)(attw, [tarball, ...options])
  })

  test('contains the documents, the license, and no other folders than dist and src', () => {
    expect(readdirSync(join(folder, 'package')).sort()).toEqual([
      'CHANGELOG.md',
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
      'src',
    ])
    const license = readFileSync(join(folder, 'package/LICENSE'), 'utf8')
    expect(license).toContain(`${readManifest().license} License`)
  })

  test('contains the sources to which the declaration maps lead an editor', () => {
    const dist = join(folder, 'package/dist')
    const maps = readdirSync(dist).filter((file) => /ts\.map$/.test(file))
    expect(maps.length).toBeGreaterThanOrEqual(SUBPATHS.length)
    for (const file of maps) {
      const { sources } = JSON.parse(readFileSync(join(dist, file), 'utf8'))
      expect(sources.length, file).toBeGreaterThan(0)
      for (const source of sources)
        expect(existsSync(join(dist, source)), source).toBe(true)
    }
  })

  // The published manifest must not name the workspace package `testkit`,
  // because npm has an unrelated package with this name.
  test('names the oldest Node, no packages but its peers, and no scripts', () => {
    const manifest = readManifest()
    expect(manifest.engines).toEqual({ node: `>=${OLDEST.node}` })
    const peers = ['@prisma/client', 'drizzle-orm', 'kysely', 'zod']
    expect(Object.keys(manifest.peerDependencies)).toEqual(peers)
    expect(
      Object.keys(manifest).filter((key) => /dependencies$|scripts/i.test(key)),
    ).toEqual(['peerDependencies'])
  })

  test('names its repository and its site, which the README links to', () => {
    const { repository, homepage } = readManifest()
    const readme = readFileSync(join(folder, 'package/README.md'), 'utf8')
    const pages = `${repository.url.replace(/^git\+|\.git$/g, '')}/blob/HEAD/`
    const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(
      ([, link = '']) => link,
    )
    expect(links.length).toBeGreaterThan(10)
    const sections = [...readme.matchAll(/^## (\w+)$/gm)].map(
      ([, name = '']) => `#${name.toLowerCase()}`,
    )
    const isOurs = (link: string) =>
      sections.includes(link) ||
      [pages, homepage].some((start) => link.startsWith(start))
    expect(links.filter((link) => !isOurs(link))).toEqual([])
  })
})

describe('in an empty npm project', () => {
  let project = ''
  const id = 'user-0190163d-8694-739b-aea5-966c26f8ad91'
  beforeAll(async () => {
    project = await installed('empty', ['zod@4'])
  })

  test.each([
    ['module', (name: string) => `await import('${name}')`],
    ['commonjs', (name: string) => `require('${name}')`],
  ])(
    'the core and typed-id/zod work in code of the type %s',
    async (type, load) => {
      const code = `const { defineId } = ${load('typed-id')}
      const { idSchema } = ${load('typed-id/zod')}
      console.log(idSchema(defineId('user')).parse('${id}'))`
      const options = [`--input-type=${type}`, '--eval']
      expect(await run(project, 'node', ...options, code)).toBe(`${id}\n`)
    },
  )

  test('npm installs no peer that the project does not name', () => {
    expect(readdirSync(join(project, 'node_modules')).sort()).toEqual([
      '.bin',
      '.package-lock.json',
      'typed-id',
      'zod',
    ])
  })

  test('the command runs', async () => {
    const args = ['typed-id', 'convert', '--to', 'standard', id]
    expect(await run(project, 'npx', ...args)).toBe(`${id}\n`)
  })
})

/*
 * Optional peer dependencies must allow all versions. Otherwise npm would fail
 * (ERESOLVE) in a project with an excluded version, even if the project does
 * not use the excluded package with typed-id.
 */
test.each([
  'kysely@0.26.3 zod@3.20.0 drizzle-orm@0.29.5 @prisma/client@4.16.2',
  'kysely@0.30.0-beta.2 drizzle-orm@1.0.0-rc.5-ab785fc',
])(
  'npm resolves the package beside peers of any version: %s',
  async (peers) => {
    const name = peers.replaceAll(/\W/g, '-')
    const project = await installed(
      name,
      peers.split(' '),
      '--package-lock-only',
    )
    expect(existsSync(join(project, 'package-lock.json'))).toBe(true)
  },
)
