import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { REPOSITORY } from 'testkit/documents.ts'
import { startService } from 'testkit/process.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(REPOSITORY)
const project = mkdtempSync(join(tmpdir(), 'front-end-'))
afterAll(() => rmSync(project, { recursive: true }))

const read = (file: string) => readFileSync(join(project, file), 'utf8')
const write = (file: string, text: string) =>
  writeFileSync(join(project, file), text)

/** Runs a command as a user does, on the machine's own Node. */
const run = async (command: string, ...args: string[]) => {
  const PATH = process.env.PATH?.split(delimiter)
    .filter((path) => !path.startsWith(root))
    .join(delimiter)
  const { stdout } = await promisify(execFile)(command, args, {
    cwd: project,
    env: { ...process.env, PATH, npm_config_fetch_timeout: '20000' },
  })
  return stdout
}

function codeOf(region: string): string {
  const file = new URL('docs/service/front-end.md', REPOSITORY)
  const start = `<!-- #region ${region} -->\\s+\`\`\`typescript\n`
  const [, code] =
    new RegExp(`${start}(.*?)\`\`\``, 's').exec(readFileSync(file, 'utf8')) ??
    []
  if (code === undefined) throw new Error(`front-end.md has no code ${region}`)
  return code
}

beforeAll(async () => {
  const tarballs: string[] = []
  for (const folder of ['packages/typed-id', 'apps/api-client']) {
    const out = join(project, `${folder.replace('/', '-')}.tgz`)
    await promisify(execFile)('pnpm', ['pack', '--out', out], {
      cwd: join(root, folder),
    })
    tarballs.push(out)
  }
  write('package.json', '{ "private": true, "type": "module" }')
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2022', 'dom'],
    types: [],
    outDir: 'built',
  }
  write('tsconfig.json', JSON.stringify({ compilerOptions }))
  await run(
    'npm',
    ...['install', '--prefer-offline', '--no-audit', '--no-fund', ...tarballs],
    ...['hono', '@tanstack/react-query', 'react', '@types/react'],
    'typescript@6',
  )
  write('recipe.ts', codeOf('recipe'))
  write('mistakes.ts', `${codeOf('recipe')}\n${codeOf('mistakes')}`)
})

test('the code of the page compiles, without packages of the service', async () => {
  await run('npx', 'tsc')
  const client = 'node_modules/api-client'
  const manifest = JSON.parse(read(`${client}/package.json`))
  const { peerDependencies, dependencies } = manifest
  expect(dependencies).toBeUndefined()
  const declarations = read(`${client}/dist/index.d.ts`)
  const imported = declarations.matchAll(/from '([^/']+)/g)
  expect(new Set([...imported].map(([, name]) => name))).toEqual(
    new Set(Object.keys(peerDependencies)),
  )
})

test('the code of the page reads a user of a running service', async () => {
  const service = await startService({ DATABASE_URL: 'sqlite::memory:' })
  try {
    const recipe = read('built/recipe.js')
    write('built/run.js', recipe.replace('http://127.0.0.1:3000', service.url))
    const { api, userQuery } = await import(
      pathToFileURL(join(project, 'built/run.js')).href
    )
    const json = { email: 'ada@example.com', name: 'Ada', password: 'x' }
    const user = await (await api.users.$post({ json })).json()
    expect(await userQuery(user.id).queryFn()).toEqual(user)
    await api.users[':user_id'].$delete({ param: { user_id: user.id } })
    expect(await userQuery(user.id).queryFn()).toBeNull()
    await expect(userQuery('team-x').queryFn()).rejects.toThrow('HTTP 422')
  } finally {
    await service.stop()
  }
})
