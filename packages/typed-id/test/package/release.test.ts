import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { checkChangelog, checkTag, checkVersion, identityOf } from '../../release/identity.ts'
import { rename } from '../../release/links.ts'
import { checkName, isPublished } from '../../release/owner.ts'
import { pack } from '../../release/pack.ts'

const OURS = 'https://github.com/acme/ids'

describe('the name in the registry', () => {
  /** Responds like a registry: npm requests `/<name>`, and a scoped name with its slash escaped. */
  const published = new Map<string, { repository?: { url: string } }>([
    ['/ours', { repository: { url: 'git+https://github.com/Acme/ids.git' } }],
    ['/@acme%2fids', { repository: { url: 'git+ssh://git@github.com/acme/ids.git' } }],
    ['/theirs', { repository: { url: 'git+https://github.com/other/ids.git' } }],
    ['/fork', { repository: { url: 'git+https://github.com/acme/ids-2.git' } }],
    ['/unknown', {}],
  ])
  const server = createServer(({ url = '' }, response) => {
    const name = decodeURIComponent(url.slice(1))
    const found = published.get(url)
    response.writeHead(url === '/broken' ? 503 : found ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(
        found
          ? {
              name,
              'dist-tags': { latest: '1.0.0' },
              versions: { '1.0.0': { name, version: '1.0.0', dist: { integrity: 'sha512-A==' }, ...found } },
            }
          : { error: 'Not found' },
      ),
    )
  })

  beforeEach(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    vi.stubEnv('npm_config_registry', `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterEach(async () => {
    vi.unstubAllEnvs()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  test.each(['ours', '@acme/ids'])('%s, published from our repository, is ours', async (name) => {
    expect(await checkName(name, OURS)).toBe('ours')
  })

  test('a name without a package is free', async () => {
    expect(await checkName('not-there', OURS)).toBe('free')
  })

  test.each([
    ['theirs', 'git+https://github.com/other/ids.git'],
    ['fork', 'git+https://github.com/acme/ids-2.git'],
    ['unknown', 'a package without a repository'],
  ])('%s stops the release with one line that names the owner', async (name, owner) => {
    await expect(checkName(name, OURS)).rejects.toThrow(
      `"${name}" belongs to ${owner}, not to ${OURS}: set publishConfig.name to a name with your scope`,
    )
  })

  test('a version that is published with the same content is skipped, and one with another content stops', async () => {
    expect(await isPublished('ours', '1.0.0', 'sha512-A==')).toBe(true)
    expect(await isPublished('ours', '1.0.1', 'sha512-A==')).toBe(false)
    expect(await isPublished('not-there', '1.0.0', 'sha512-A==')).toBe(false)
    await expect(isPublished('ours', '1.0.0', 'sha512-B==')).rejects.toThrow(
      'ours@1.0.0 is published with another content: sha512-A==, not sha512-B==',
    )
  })

  test.each(['broken', 'down'])('a registry that is %s stops the release with one line', async (name) => {
    if (name === 'down') vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9')
    await expect(checkName(name, OURS)).rejects.toThrow(
      /^the registry does not describe "(broken|down)": (E503|ECONNREFUSED) .+$/,
    )
  })
})

describe('the origin of the package', () => {
  test('gives the published package.json its four fields', () => {
    expect(identityOf({ repository: OURS, author: 'Acme' }, 'packages/typed-id')).toEqual({
      author: 'Acme',
      homepage: 'https://github.com/acme/ids#readme',
      bugs: 'https://github.com/acme/ids/issues',
      repository: { type: 'git', url: 'git+https://github.com/acme/ids.git', directory: 'packages/typed-id' },
    })
    expect(
      identityOf({ repository: OURS, author: 'Acme', homepage: 'https://ids.example' }, 'other'),
    ).toMatchObject({
      homepage: 'https://ids.example',
      repository: { directory: 'other' },
    })
  })

  test.each([undefined, '', 'https://github.com/<owner>/<repository>', 'https://example.com/acme/ids'])(
    'stops the release with one line while the repository is %s',
    (repository) => {
      const origin = { author: 'Acme', ...(repository === undefined ? {} : { repository }) }
      expect(() => identityOf(origin, '')).toThrow(/^the root package.json needs "repository": .+$/)
    },
  )

  test('stops the release without an author', () => {
    expect(() => identityOf({ repository: OURS }, '')).toThrow(/^the root package.json needs "author"$/)
  })
})

test('the changelog stops a release without its section, or with unreleased lines', () => {
  const changelog = (unreleased: string) =>
    `# Changelog\n\n## Unreleased\n${unreleased}\n## 1.0.0\n\n- First.\n`
  expect(() => checkChangelog(changelog(''), '1.0.0')).not.toThrow()
  expect(() => checkChangelog(changelog(''), '1.0.1')).toThrow('CHANGELOG.md has no section "## 1.0.1"')
  expect(() => checkChangelog(changelog('\n- One.\n- Two.\n'), '1.0.0')).toThrow(
    'CHANGELOG.md has 2 unreleased lines: move them below "## 1.0.0"',
  )
})

test.each(['0.2', 'v0.2.0', '01.2.3', 'latest', '', '0.2.0-beta.1'])(
  'the version "%s" stops the release',
  (version) => {
    expect(() => checkVersion('10.2.0')).not.toThrow()
    expect(() => checkVersion(version)).toThrow(
      `the version must be three numbers, such as 1.2.3, received "${version}"`,
    )
  },
)

test('a tag stops the release of every other commit, earlier or later', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'typed-id-tag-'))
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd })
  const commit = () => git('commit', '--quiet', '--allow-empty', '--message', 'Change')
  git('init', '--quiet')
  commit()
  commit()
  git('tag', '--message', 'First', 'typed-id@1.0.0')
  expect(() => checkTag('typed-id@1.0.0', cwd)).not.toThrow()
  expect(() => checkTag('typed-id@1.0.1', cwd)).not.toThrow()
  for (const other of [commit, () => git('checkout', '--quiet', 'HEAD~2')]) {
    other()
    expect(() => checkTag('typed-id@1.0.0', cwd)).toThrow('Raise the version in package.json')
  }
  rmSync(cwd, { recursive: true })
})

test('the packed package does not depend on the version of a package that only its tests use', () => {
  const source = mkdtempSync(join(tmpdir(), 'typed-id-pack-'))
  const tarballs = ['1.0.0', '2.0.0'].map((version) => {
    const fields = { name: 'tool', version: '1.0.0', publishConfig: {}, files: ['dist'] }
    const manifest = { ...fields, devDependencies: { other: version } }
    writeFileSync(join(source, 'package.json'), JSON.stringify(manifest))
    mkdirSync(join(source, version))
    return readFileSync(pack(source, join(source, version)))
  })
  rmSync(source, { recursive: true })
  expect(tarballs[0]?.equals(tarballs[1] as Buffer)).toBe(true)
})

test('another name replaces the package, and neither the command nor keywords', () => {
  const text = `
npm install typed-id
import { defineId } from 'typed-id'
import { idSchema } from 'typed-id/zod' // \`typed-id/vectors.json\`
$ npx typed-id new user | npx typed-id check
| \`typed-id\`      | \`defineId\`
run \`typed-id scan\`, then pnpm --filter typed-id run size
'x-typed-id' src/typed-id/zod typed-id/nothing typed-id-other`
  expect(rename(text, '@acme/ids')).toBe(`
npm install @acme/ids
import { defineId } from '@acme/ids'
import { idSchema } from '@acme/ids/zod' // \`@acme/ids/vectors.json\`
$ npx @acme/ids new user | npx @acme/ids check
| \`@acme/ids\`      | \`defineId\`
run \`typed-id scan\`, then pnpm --filter typed-id run size
'x-typed-id' src/typed-id/zod typed-id/nothing typed-id-other`)
})
