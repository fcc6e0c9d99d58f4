import { execFileSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createApiClient as createA } from '#generated/openapi-zod-client/profile-a.ts'
import { createApiClient as createB } from '#generated/openapi-zod-client/profile-b.ts'
import { ADA, IDS } from './cases.ts'
import { DOCUMENTS, type DocumentName, ID_DOCUMENTS, Ids } from './documents.ts'
import { GENERATORS, outputFolder, VARIANTS } from './generators.ts'
import { clientErrors, readPage, wrongIds } from './table.ts'

/** Compiling all clients takes 7 s of processor time. The tests of every generator use the same output. */
const timeout = 180_000

test('everything compiles, so each client has the types of all schema functions', { timeout }, async () => {
  expect(await clientErrors('typed')).toEqual([])
})

describe.each(GENERATORS)('$package', ({ folder }) => {
  test('the compiler checks the clients, and no wrong id compiles', { timeout }, async () => {
    expect(uncheckedFiles(folder)).toEqual([])
    expect(await wrongIds('typed', folder)).toEqual({ total: 8, compile: 0 })
  })

  test('without the plugin, the clients compile, and so do wrong ids', { timeout }, async () => {
    expect(await clientErrors('plain', `clients/generated/plain/${folder}/`)).toEqual([])
    expect((await wrongIds('plain', folder)).compile).toBeGreaterThanOrEqual(5)
  })
})

test('without the plugins, no client has the types of the schema functions', { timeout }, async () => {
  expect(await clientErrors('plain', 'clients/generated/cells.ts')).toHaveLength(
    GENERATORS.length * ID_DOCUMENTS.length * Object.keys(Ids.shape).length,
  )
})

test('the table in docs/guide/clients.md is true (`node clients/table.ts --write` writes it)', {
  timeout,
}, async () => {
  const { stated, measured, table } = await readPage()
  console.log(table)
  expect(stated).toBe(measured)
})

/** A URL at which no service listens, so a request that is sent fails with another error. */
const NO_SERVICE = 'http://127.0.0.1:1'

test('openapi-zod-client: a wrong id from untyped code is rejected before the request is sent, also where null is valid', async () => {
  const user_id = IDS.team as string as typeof IDS.user
  await expect(createA(NO_SERVICE).getUser({ params: { user_id } })).rejects.toThrow(
    "Invalid Path parameter 'user_id'",
  )
  const team_id = IDS.user as string as typeof IDS.team
  await expect(createB(NO_SERVICE).createUser({ ...ADA, team_id })).rejects.toThrow(
    "Invalid Body parameter 'body'",
  )
})

const REDOCLY = join(import.meta.dirname, '../node_modules/@redocly/cli/bin/cli.js')

test.each(Object.keys(DOCUMENTS) as DocumentName[])(
  'the ids in %s keep their keys in `redocly split` and `redocly bundle`',
  (name) => {
    const folder = mkdtempSync(join(tmpdir(), 'redocly-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const run = (...args: string[]) =>
      execFileSync(process.execPath, [REDOCLY, ...args], {
        cwd: folder,
        stdio: 'pipe',
        // Omits NODE_ENV, because with the value `test`, `split` writes no files.
        env: { PATH: process.env.PATH, REDOCLY_TELEMETRY: 'off' },
      })
    const file = join(import.meta.dirname, 'generated', `${name}.json`)
    run('split', file, '--outDir', 'parts')
    run('bundle', 'parts/openapi.json', '--output', 'bundled.json')
    const { paths, components } = JSON.parse(DOCUMENTS[name]())
    const bundled = JSON.parse(readFileSync(join(folder, 'bundled.json'), 'utf8'))
    expect(bundled.paths).toEqual(paths)
    expect(bundled.components.schemas).toEqual(components.schemas)
  },
)

/** Returns the generated files that the compiler does not check. */
function uncheckedFiles(folder: string): string[] {
  const files = VARIANTS.flatMap((variant) => globSync(join(outputFolder(variant, folder), '**/*.ts')))
  return files.filter((file) => readFileSync(file, 'utf8').includes('@ts-nocheck'))
}
