import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser, serveFolder } from 'testkit/browser.ts'
import { type Running, startService } from 'testkit/process.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createFrontEnd, PROJECT, ROOT, run } from './project.ts'

/*
 * Creates the front-end of docs/service/front-end.md by the commands of the
 * page, with the compiler options and the linter of create-vite, and uses it in
 * a browser.
 */

let service: Running
beforeAll(async () => {
  service = await startService({
    DATABASE_URL: 'sqlite::memory:',
    CORS_ORIGIN: '*',
  })
  await createFrontEnd(service.url)
}, 400_000)
afterAll(() => service.stop())

test('the client imports its peers and no package of the service', () => {
  const client = join(PROJECT, 'node_modules/@typed-id/api-client')
  const read = (file: string) => readFileSync(join(client, file), 'utf8')
  const { dependencies, peerDependencies } = JSON.parse(read('package.json'))
  expect(dependencies).toBeUndefined()
  for (const file of ['dist/index.d.ts', 'dist/index.js']) {
    const imports = read(file).matchAll(/from ['"]([^/'"]+)/g)
    expect(new Set([...imports].map(([, name]) => name)), file).toEqual(
      new Set(Object.keys(peerDependencies)),
    )
  }
})

test('the front-end passes its linter and builds', async () => {
  await run(PROJECT, 'npm run lint -- --deny-warnings')
  await run(PROJECT, 'npm run build')
})

test('the front-end lists, creates and deletes users', async () => {
  const { id } = (await service.post('/teams', { name: 'Engineering' })).json
  for (let n = 1; n <= 21; n++)
    await service.post('/users', {
      email: `u${n}@example.com`,
      name: `User ${n}`,
      password: 'x',
    })
  const site = await serveFolder(join(PROJECT, 'dist'), '/')
  const browser = await launchBrowser()
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(60_000)
    await page.goto(site.url)
    await page.getByText('Delete User 20').waitFor()
    expect(await page.getByRole('listitem').count()).toBe(20)
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByText('Delete User 21').waitFor()
    await page
      .getByRole('button', { name: 'More' })
      .waitFor({ state: 'hidden' })

    await submit(page, { email: 'ada' })
    await expect
      .poll(() => messagesOf(page))
      .toEqual([
        'value is not a valid email address',
        'String should have at least 1 character',
      ])
    const taken = { email: 'u1@example.com', password: 'x' }
    await submit(page, taken)
    const registered = ['Email already registered']
    await expect.poll(() => messagesOf(page)).toEqual(registered)
    await page.getByLabel('team').selectOption(id)
    const ada = { email: 'ada@example.com', name: 'Ada', password: 'x' }
    await submit(page, ada)
    await page.getByText('Ada Engineering').waitFor()
    expect(await messagesOf(page)).toEqual([])

    await page.getByRole('button', { name: 'Delete Ada' }).click()
    await page.getByText('Ada Engineering').waitFor({ state: 'detached' })
    expect((await service.get(`/users?team_id=${id}`)).json).toEqual([])
  } finally {
    await browser.close()
    site.close()
  }
})

async function submit(page: Page, fields: Record<string, string>) {
  for (const [name, value] of Object.entries(fields))
    await page.getByLabel(name).fill(value)
  await page.getByRole('button', { name: 'Create' }).click()
}

/** Returns the messages beside the fields of the form. */
const messagesOf = (page: Page) =>
  page.locator('label [role=alert]').allTextContents()

const LIBRARIES = [
  ['ES2023', 'DOM'],
  ['ES2022', 'DOM', 'DOM.Iterable'],
]
const TYPES = [['vite/client'], ['node'], []]
const VARIANTS = LIBRARIES.flatMap((lib) =>
  TYPES.map((types) => ({ lib, types })),
)
/** Stricter than create-vite, whose main.tsx imports a file of CSS. */
const STRICT = {
  noUncheckedSideEffectImports: false,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
}

/** Compiles the front-end by the compiler options of create-vite and others. */
async function compile(compiler: string, options: object): Promise<void> {
  const config = { extends: './tsconfig.app.json', compilerOptions: options }
  writeFileSync(join(PROJECT, 'tsconfig.test.json'), JSON.stringify(config))
  const tsc = join(compiler, 'node_modules/typescript/bin/tsc')
  await run(PROJECT, `node ${tsc} -p tsconfig.test.json`)
}

test.each(VARIANTS)('the front-end compiles with %j', async (variant) => {
  await compile(PROJECT, { ...variant, ...STRICT })
})

test('the front-end compiles with TypeScript 6', async () => {
  await compile(ROOT, { ...STRICT, tsBuildInfoFile: null })
})

describe('in this workspace', () => {
  // Links packages as pnpm does.
  beforeAll(async () => {
    await run(ROOT, 'npx --yes pnpm@12 --filter @typed-id/api-client build')
    for (const [name, target] of Object.entries({
      '@typed-id/api-client': 'apps/api-client',
      'typed-id': 'packages/typed-id',
      hono: 'apps/api-client/node_modules/hono',
    })) {
      const link = join(PROJECT, 'node_modules', name)
      rmSync(link, { recursive: true })
      symlinkSync(join(ROOT, target), link)
    }
  })

  test.each(VARIANTS)('the front-end compiles with %j', async (variant) => {
    await compile(PROJECT, { ...variant, ...STRICT })
  })

  test('the front-end builds', async () => {
    await run(PROJECT, 'npm run build')
  })
})
