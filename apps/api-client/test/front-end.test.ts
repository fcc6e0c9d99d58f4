import { execFile } from 'node:child_process'
import {
  cpSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { launchBrowser, serveFolder } from 'testkit/browser.ts'
import { REPOSITORY } from 'testkit/documents.ts'
import { type Running, startService } from 'testkit/process.ts'
import library from 'typed-id/package.json' with { type: 'json' }
import { afterAll, beforeAll, expect, test } from 'vitest'
import client from '../package.json' with { type: 'json' }

const ROOT = fileURLToPath(REPOSITORY)
const folder = mkdtempSync(join(tmpdir(), 'front-end-'))
const PROJECT = join(folder, 'front-end')
const PACKAGES = join(PROJECT, 'node_modules')

const blocks = [
  ...readFileSync(join(ROOT, 'docs/service/front-end.md'), 'utf8').matchAll(
    /^(?:`([^`]+)`\n\n)?```(?:sh|tsx?)\n(.*?)^```/gms,
  ),
].map(([, file, code = '']) => ({ file, code }))

const TARBALL = `typed-id-${library.version}.tgz`

async function run(cwd: string, command: string): Promise<void> {
  const path = process.env.PATH?.split(delimiter)
  const env = {
    ...process.env,
    PATH: path?.filter((one) => !one.startsWith(ROOT)).join(delimiter),
    npm_config_prefer_offline: 'true',
    npm_config_yes: 'true',
  }
  await promisify(execFile)('bash', ['-ec', command], { cwd, env }).catch(
    (error) => {
      throw new Error(`${command}\n${error.stdout}${error.stderr}`)
    },
  )
}

let service: Running
beforeAll(async () => {
  service = await startService({
    DATABASE_URL: 'sqlite::memory:',
    CORS_ORIGIN: '*',
  })
  const [packing, creating] = blocks
  const { TYPED_ID_TARBALL } = process.env
  for (const line of packing?.code.match(/^.* pack$/gm) ?? [])
    if (TYPED_ID_TARBALL && line.includes(' typed-id '))
      cpSync(TYPED_ID_TARBALL, join(folder, TARBALL))
    else await run(ROOT, `${line} --pack-destination ${folder}`)
  await run(folder, `${creating?.code.replaceAll('<clone>', folder)}`)
  for (const { file, code } of blocks)
    if (file)
      writeFileSync(
        join(PROJECT, file),
        code.replace('http://127.0.0.1:3000', service.url),
      )
}, 400_000)
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await service.stop()
})

test('the client imports its peers and no package of the service', () => {
  const read = (file: string) =>
    readFileSync(join(PACKAGES, '@typed-id/api-client', file), 'utf8')
  const { dependencies, peerDependencies, exports } = JSON.parse(
    read('package.json'),
  )
  expect(dependencies).toBeUndefined()
  for (const file of Object.values<string>(exports)) {
    const imports = read(file).matchAll(/from ['"]([^/'"]+)/g)
    expect(new Set([...imports].map(([, name]) => name)), file).toEqual(
      new Set(Object.keys(peerDependencies)),
    )
  }
})

test('the front-end passes its linter and builds, also with stricter options', async () => {
  await run(PROJECT, 'npm run lint -- --deny-warnings')
  await run(PROJECT, 'npm run build')
  const compilerOptions = {
    noUncheckedSideEffectImports: false,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    lib: ['ES2022', 'DOM'],
    types: [],
  }
  const config = { extends: './tsconfig.app.json', compilerOptions }
  writeFileSync(join(PROJECT, 'tsconfig.test.json'), JSON.stringify(config))
  await run(PROJECT, 'npx tsc -p tsconfig.test.json')
})

test('the front-end compiles with the oldest hono that the client accepts', async () => {
  const oldest = client.peerDependencies.hono.replace('^', '')
  await run(PROJECT, `npm install --no-save hono@${oldest}`)
  await run(PROJECT, 'npx tsc -p tsconfig.test.json')
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
    const more = page.getByRole('button', { name: 'More' })
    await more.click()
    await page.getByText('Delete User 21').waitFor()
    await more.waitFor({ state: 'hidden' })

    await submit(page, { email: 'ada' })
    await expect
      .poll(() => messagesOf(page))
      .toEqual([
        'value is not a valid email address',
        'String should have at least 1 character',
      ])
    await submit(page, { email: 'u1@example.com', password: 'x' })
    const registered = ['Email already registered']
    await expect.poll(() => messagesOf(page)).toEqual(registered)
    await page.getByLabel('team').selectOption(id)
    await submit(page, { email: 'ada@example.com', name: 'Ada', password: 'x' })
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

const messagesOf = (page: Page) =>
  page.locator('label [role=alert]').allTextContents()

test('the front-end builds in this workspace, with packages linked as by pnpm', async () => {
  for (const [name, target] of Object.entries({
    '@typed-id/api-client': 'apps/api-client',
    'typed-id': 'packages/typed-id',
    hono: 'apps/api-client/node_modules/hono',
  })) {
    rmSync(join(PACKAGES, name), { recursive: true })
    symlinkSync(join(ROOT, target), join(PACKAGES, name))
  }
  await run(PROJECT, 'npm run build')
})

test('the service is started with the origin of the development server of the front-end', async () => {
  const { createServer } = await import(
    join(PACKAGES, 'vite/dist/node/index.js')
  )
  const vite = await createServer({ root: PROJECT })
  const { port } = vite.config.server
  await vite.close()
  expect(blocks.map(({ code }) => code)).toContainEqual(
    expect.stringMatching(`^CORS_ORIGIN=http://localhost:${port} `),
  )
})
