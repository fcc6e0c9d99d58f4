import { execFile } from 'node:child_process'
import { readFile, symlink, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { REPOSITORY } from 'testkit/documents.ts'
import {
  connectForTest,
  emptyDatabaseForTest,
  folderForTest,
} from 'testkit/engines.ts'
import { startServiceForTest as startService } from 'testkit/service-for-test.ts'
import { expect, test } from 'vitest'
import { TeamId, UserId } from '../src/ids.ts'

const run = promisify(execFile)
const root = fileURLToPath(REPOSITORY)
const readme = await readFile(`${root}README.md`, 'utf8')

const blocksOf = (page: string, language: string) =>
  [
    ...page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')),
  ].map(([, code = '']) => code)

async function createProject(app: string, code: string) {
  const folder = await folderForTest()
  const typeRoots = [`${root}node_modules/@types`]
  const tsconfig = {
    extends: `${root}tsconfig.base.json`,
    compilerOptions: { typeRoots, types: ['node'] },
  }
  await symlink(`${root}apps/${app}/node_modules`, `${folder}/node_modules`)
  await writeFile(`${folder}/file.ts`, code)
  await writeFile(`${folder}/package.json`, '{"type":"module"}')
  await writeFile(`${folder}/tsconfig.json`, JSON.stringify(tsconfig))
  return folder
}

async function compile(app: string, code: string): Promise<string> {
  // With several threads, TypeScript takes three times the processor time.
  const options = ['-p', await createProject(app, code), '--singleThreaded']
  const tsc = `${root}node_modules/typescript-7/bin/tsc`
  const { stdout } = await run(tsc, options).catch((error) => error)
  return [...stdout.matchAll(/error TS\d+: (.*)/g)]
    .map(([, message]) => message)
    .join('\n')
}

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g

test('the curl session prints what its page shows', async () => {
  const page = await readFile(`${root}docs/service/index.md`, 'utf8')
  const [start = ''] = blocksOf(page, 'sh')
  const [session = ''] = blocksOf(page, 'console')
  const service = await startService(
    { DATABASE_URL: await emptyDatabaseForTest('sqlite-file') },
    [],
    start.trim().split(' start ')[1]?.split(' '),
  )
  const commands = session.match(/(?<=^\$ ).*/gm) ?? []
  expect(commands).toHaveLength(6)
  const ready = [...commands, '']
    .join('\necho\n')
    .replace('localhost:3000', service.url)
  const { stdout } = await run('bash', ['-ec', ready])
  const printed = stdout.replace(/^\n/gm, '').replace(UUID, '…')
  const shown = session.replace(/^\$ .*\n/gm, '').replace(UUID, '…')
  expect(printed).toBe(shown)
})

test('the TypeScript compiles and prints what its comments say', async () => {
  const [code = ''] = blocksOf(readme, 'ts')
  const folder = await createProject('api', code)
  const running = run(process.execPath, [`${folder}/file.ts`])
  const { stdout, stderr } = await running.catch((error) => error)
  const [printed = '', compiled = '', thrown = ''] = [
    ...code.matchAll(/(?:^\/\/ (?!@).*\n)+/gm),
  ].map(([lines]) => lines.replaceAll('\n// ', ' ').slice(3).trimEnd())
  expect(stdout.trimEnd().replace('\n', ' ')).toBe(printed)
  expect(stderr).toContain(`\n${thrown}\n`)
  const mistaken = code.replace('// @ts-expect-error', '')
  expect(await compile('api', mistaken)).toBe(compiled)
})

test('each of the five fences reports what the README shows', async () => {
  const [, table = ''] = /^## One mistake.*?\n(\|.*?)\n\n/ms.exec(readme) ?? []
  const shown = Object.fromEntries(
    [...table.matchAll(/^\| ([^|]+?) +\| `(.+)` +\|$/gm)].map(
      ([, fence = '', output]) => [fence.replace(/\[(.+)\].*/, '$1'), output],
    ),
  )
  const team_id = TeamId.example
  const mistakes = `import type { AppType } from 'api/app.ts'
import { hc } from 'hono/client'
import { defineId, type IdOf } from 'typed-id'
const UserId = defineId('user')
const id = defineId('team').generate()
const read = (id: IdOf<typeof UserId>) => id
read(id)
hc<AppType>('').users[':user_id'].$get({ param: { user_id: id } })`
  expect(await compile('api-client', mistakes)).toBe(
    `${shown.compiler}\n${shown['typed client']}`,
  )
  const message = shown.parser?.replace('TypedIdError: ', '')
  expect(() => UserId.parse(team_id)).toThrow(message)

  const url = await emptyDatabaseForTest('postgres')
  const service = await startService({ DATABASE_URL: url })
  const { status, text } = await service.get(`/users/${team_id}`)
  expect(`${status} ${text}`).toBe(shown.API)
  const client = await connectForTest(url)
  const insert = `insert into users values ('${team_id}', 'a', 'a', 'a', 'a')`
  await expect(client.query(insert)).rejects.toThrow(shown.database)
})
