import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'
import { compileScript, parse, registerTS } from '@vue/compiler-sfc'
import { ESLint } from 'eslint'
import { renderToStaticMarkup } from 'react-dom/server'
import ts from 'typescript'
import { expect, test, vi } from 'vitest'
import { UserId as AuthId, auth, userIdOf } from './auth/better-auth.ts'
import { PAGE, updatePage } from './comparison/facts.ts'
import { UserId } from './ids.ts'
import { createApp } from './opaque/recipe.ts'
import { createUser, UserList } from './react/recipe.tsx'

test('React: ids are keys, short ids are links', () => {
  const warning = vi.spyOn(console, 'error').mockImplementation(() => {})
  const [ada, bob] = [createUser('Ada'), createUser('Bob')]
  const list = UserList({ users: [ada, bob] })
  const keys = list.props.children.map((row: { key: string }) => row.key)
  expect(keys).toEqual([ada.id, bob.id])
  expect(ada.id).not.toBe(bob.id)
  expect(renderToStaticMarkup(list)).toBe(
    `<ul><li><a href="/users/${UserId.toShort(ada.id)}">Ada</a></li>` +
      `<li><a href="/users/${UserId.toShort(bob.id)}">Bob</a></li></ul>`,
  )
  expect(warning).not.toHaveBeenCalled()
})

test('Better Auth creates users and sessions with typed ids', async () => {
  const user = { name: 'Ada', email: 'ada@example.com', password: 'a password' }
  const { headers: received, response } = await auth.api.signUpEmail({
    body: user,
    returnHeaders: true,
  })
  const { id } = response.user
  expect(AuthId.is(id)).toBe(true)
  const [cookie = ''] = received.get('set-cookie')?.split(';') ?? []
  const headers = new Headers({ cookie })
  expect(await userIdOf(headers)).toBe(id)
  expect(await userIdOf(new Headers())).toBeUndefined()
  const { session } = (await auth.api.getSession({ headers })) ?? {}
  expect(session?.id).toMatch(/^session-/)
  expect(session?.userId).toBe(id)
})

const KEY = '1:0f1e2d3c4b5a69788796a5b4c3d2e1f0'

test('zod: clients see opaque ids only, in the order of creation, and page by them', async () => {
  const names = ['Ada', 'Bob', 'Eve']
  const users = names.map((name) => ({ id: UserId.generate(), name }))
  const app = createApp(users, [KEY])
  const get = async (path: string) => (await app.request(path)).json()

  const shown: { id: string; name: string }[] = await get('/users')
  expect(shown.map(({ name }) => name)).toEqual(names)
  for (const { id } of shown)
    expect(UserId.timestamp(UserId.parse(id))).toBeUndefined()
  expect(await get(`/users/${shown[1]?.id}`)).toEqual(shown[1])
  expect(await get(`/users?after=${shown[0]?.id}`)).toEqual(shown.slice(1))

  expect((await app.request(`/users/${users[0]?.id}`)).status).toBe(404)
  expect((await app.request(`/users?after=${users[0]?.id}`)).status).toBe(422)
  // After a key rotation, ids that clients received earlier must still work.
  const rotated = createApp(users, [`2:${KEY.slice(2, -1)}1`, KEY])
  expect((await rotated.request(`/users/${shown[0]?.id}`)).status).toBe(200)
})

registerTS(() => ts)

function runtimeTypeOfProp(type: string): string | undefined {
  const { descriptor } = parse(
    `<script setup lang="ts">
    import { defineId, type IdOf, type TypedId } from 'typed-id'
    const UserId = defineId('user')
    type UserId = IdOf<typeof UserId>
    defineProps<{ id: ${type} }>()
    </script>`,
    { filename: import.meta.filename },
  )
  const { content } = compileScript(descriptor, { id: 'user' })
  return /id: \{ type: (.+?), required/.exec(content)?.[1]
}

test.each([
  ["TypedId<'user'>", 'String'],
  ['UserId', 'null'],
])('Vue checks that a prop of the type %s is %s', (type, expected) => {
  expect(runtimeTypeOfProp(type)).toBe(expected)
})

const HERE = import.meta.dirname
const TSC = join(HERE, '../node_modules/typescript-7/bin/tsc')

const run = (command: string, args: string[], cwd: string) =>
  promisify(execFile)(command, args, { cwd }).catch((failed) => failed)

test.each(['.', 'clients', 'frameworks/graphql'])(
  'everything in %s compiles, and no marked line does',
  async (project) => {
    const args = ['-p', project, '--checkers', '1', '--pretty', 'false']
    const output = await run(process.execPath, [TSC, ...args], HERE)
    expect(output).toMatchObject({ stdout: '', stderr: '' })
  },
)

test('the comparison of docs/comparison.md is true, else run "pnpm --dir integrations facts"', () => {
  const page = readFileSync(PAGE, 'utf8')
  expect(page).toBe(updatePage(page))
})

const LINT = join(HERE, 'lint')
const REJECTED = readFileSync(join(LINT, 'cases/rejected.ts'), 'utf8')
  .split('\n')
  .flatMap((line, index) =>
    line.startsWith('export const') ? [`rejected.ts:${index + 1}`] : [],
  )

test.each([
  ['ESLint', runEslint],
  ['Biome', runBiome],
])('%s rejects each cast to an id type, and no other line', async (_, run) => {
  expect(REJECTED).toHaveLength(17)
  expect(await run()).toEqual(REJECTED)
})

async function runEslint(): Promise<string[]> {
  const eslint = new ESLint({
    overrideConfigFile: join(LINT, 'eslint.config.js'),
  })
  const results = await eslint.lintFiles(join(LINT, 'cases'))
  return results.flatMap(({ filePath, messages }) =>
    messages.map(({ line }) => `${basename(filePath)}:${line}`),
  )
}

async function runBiome(): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'no-id-casts-'))
  try {
    cpSync(LINT, folder, { recursive: true })
    const biome = join(HERE, 'node_modules/.bin/biome')
    const options = ['--only=plugin', '--max-diagnostics=none']
    const args = ['lint', ...options, '--reporter=json', 'cases']
    interface Place {
      readonly location: { path: string; start: { line: number } }
    }
    const { stdout } = await run(biome, args, folder)
    return JSON.parse(stdout).diagnostics.map(
      ({ location: { path, start } }: Place) =>
        `${basename(path)}:${start.line}`,
    )
  } finally {
    rmSync(folder, { recursive: true })
  }
}
