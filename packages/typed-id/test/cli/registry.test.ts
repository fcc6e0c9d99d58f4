import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { REPOSITORY } from 'testkit/repository.ts'
import { afterAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { formatManifest, parseManifest } from '../../src/cli/registry/manifest.ts'
import { cli } from './terminal.ts'

/** In the package, so that modules in it can import `typed-id`. */
const folder = mkdtempSync(join(import.meta.dirname, '.registry-'))
afterAll(() => rmSync(folder, { recursive: true }))

let files = 0
/** Returns a function that writes a file, and returns its path. */
const writer = (extension: string) => (text: string) => {
  const file = join(folder, `file-${files++}.${extension}`)
  writeFileSync(file, text)
  return file
}
const json = writer('json')
const module = writer('ts')

const MANIFEST = `{
  "2fa": { "type": "SecondFactorId", "version": 4 },
  "orderLine": { "type": "OrderLineId", "version": 7 },
  "user": { "type": "UserId", "version": 7 }
}
`
const MODULE = `
import { defineId, uuidv4 } from 'typed-id'
export const UserId = defineId('user')
export const SecondFactorId = defineId('2fa', { uuid: uuidv4 })
export const OrderLineId = defineId('orderLine')
export const other = { prefix: 'team' }
export type UserId = string
`

describe('registry', () => {
  test.each([['--json'], ['--to', 'json'], []])(
    'prints the id types of a module with %j %j',
    async (...options) => {
      const args = ['registry', module(MODULE), ...options].filter((option) => option !== undefined)
      expect(await cli(args as string[])).toEqual({ code: 0, out: MANIFEST, err: '' })
    },
  )

  test('reads the manifest that it prints', async () => {
    expect((await cli(['registry', json(MANIFEST)])).out).toBe(MANIFEST)
    expect((await cli(['registry', json('{}')])).out).toBe('{}\n')
  })

  test('returns the same manifest from the TypeScript that it prints', async () => {
    const { out } = await cli(['registry', json(MANIFEST), '--to', 'typescript'])
    expect((await cli(['registry', module(out)])).out).toBe(MANIFEST)
    const user = json('{ "user": { "type": "UserId", "version": 7 } }')
    expect((await cli(['registry', user, '--to', 'typescript'])).out).toContain(
      'import { defineId, type IdOf } from',
    )
  })

  test.each(['openapi', 'json-schema'])('prints a schema of the ids of each type for %s', async (to) => {
    const { out } = await cli(['registry', json(MANIFEST), '--to', to])
    const document = JSON.parse(out)
    const schemas: Record<string, { pattern: string; 'x-typed-id': { prefix: string } }> =
      document.components?.schemas ?? document.$defs
    expect(Object.entries(schemas).map(([type, schema]) => [schema['x-typed-id'].prefix, type])).toEqual([
      ['2fa', 'SecondFactorId'],
      ['orderLine', 'OrderLineId'],
      ['user', 'UserId'],
    ])
    expect('user-0190163d-8694-739b-aea5-966c26f8ad91').toMatch(new RegExp(schemas.UserId?.pattern as string))
  })

  test('prints constants for Python and Go', async () => {
    const file = json(MANIFEST)
    expect((await cli(['registry', file, '--to', 'python'])).out).toMatch(
      /^ORDER_LINE_ID: Final = "orderLine"$/m,
    )
    expect((await cli(['registry', file, '--to', 'go'])).out).toMatch(/^const OrderLineId = "orderLine"$/m)
  })

  test.each(['postgres', 'sqlite', 'mysql'])('is a list of types for the SQL of %s', async (engine) => {
    const { out } = await cli(['sql', engine, '--registry', json(MANIFEST)])
    expect(out).toBe((await cli(['sql', engine, '--types', '2fa,orderLine,user'])).out)
  })

  test.each([
    [[], 'registry expects one module or manifest'],
    [['a.json', 'b.json'], 'registry expects one module or manifest'],
    [
      ['a.json', '--to', 'toString'],
      '--to expects json, typescript, python, go, openapi, json-schema, or --json alone',
    ],
    [['a.json', '--to', 'go', '--json'], '--to expects json'],
    [[module('export {}')], 'exports no id type'],
    [['no. file.ts'], 'Cannot import no. file.ts: Cannot find module'],
    [[module('throw new Error("no database")')], /Cannot import .+: no database/],
    [[module('throw "no database"')], /Cannot import .+: no database/],
    [
      [json('{"a":{"type":"UserId","version":7},"b":{"type":"UserID","version":7}}'), '--to', 'python'],
      'python: two types have the same name in upper case',
    ],
    [
      [json('{"user":{"type":"IdTypes","version":7}}'), '--to', 'python'],
      'python: two types have the same name in upper case, or that of the table, ID_TYPES',
    ],
    [[json('{"user":{"type":"IdOf","version":7}}'), '--to', 'typescript'], 'IdOf is an import'],
    [[json('{"user":{"type":"IDTypes","version":7}}'), '--to', 'go'], 'go: IDTypes is the table'],
    [
      [module(`${MODULE}export { UserId as Id }`)],
      /exports the type user as (Id and as UserId|UserId and as Id)/,
    ],
    [[module(`${MODULE}export const MemberId = defineId('user')`)], 'exports two types user'],
    [
      [module(`import { defineTypeId } from 'typed-id/typeid'\nexport const A = defineTypeId('a_b')`)],
      'A is of defineTypeId, a manifest contains types of defineId',
    ],
    [[module(`import { defineId } from 'typed-id'\nexport default defineId('user')`)], 'expected { "type"'],
    [
      [json(MANIFEST.replace('"version": 4', '"version": 5')), '--to', 'typescript'],
      'SecondFactorId has version 5, and only 4 and 7 have a generator',
    ],
  ])('rejects %# with exit code 2', async (args, message) => {
    const { code, out, err } = await cli(['registry', ...args])
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(message)
  })
})

describe('a manifest', () => {
  const page = readFileSync(new URL('docs/guide/registry.md', REPOSITORY), 'utf8')
  const [, schema = ''] = /```json\n(\{\n {2}"\$schema".+?)\n```/s.exec(page) ?? []
  const documented = z.fromJSONSchema(JSON.parse(schema))

  test.each([
    ['{}', true],
    [MANIFEST, true],
    [MANIFEST.replaceAll('\n', '\r\n\t'), true],
    ['[]', false],
    ['null', false],
    ['"user"', false],
    ['{"user":null}', false],
    ['{"user":{}}', false],
    ['{"user":{"type":"UserId"}}', false],
    ['{"user":{"type":"UserId","version":7,"since":2024}}', false],
    ['{"user":{"type":"userId","version":7}}', false],
    ['{"user":{"type":"User Id","version":7}}', false],
    ['{"user":{"type":"UserId","version":"7"}}', false],
    ['{"user":{"type":"UserId","version":0}}', false],
    ['{"user":{"type":"UserId","version":9}}', false],
    ['{"user":{"type":"UserId","version":7.5}}', false],
    ['{"user_":{"type":"UserId","version":7}}', false],
    ['{"":{"type":"UserId","version":7}}', false],
  ])('is accepted or not as the documented JSON Schema says: %j', (text, valid) => {
    expect(documented.safeParse(JSON.parse(text)).success).toBe(valid)
    if (valid)
      expect(parseManifest(formatManifest(parseManifest(text, 'a.json')), 'b.json').size).toBeDefined()
    else expect(() => parseManifest(text, 'a.json')).toThrow(/^a\.json: /)
  })

  test.each([
    ['{', 'a.json is not JSON'],
    [`{${MANIFEST.slice(1, -3)},${MANIFEST.slice(1)}`, 'a.json: a prefix occurs twice'],
    [MANIFEST.replace('OrderLineId', 'UserId'), 'a.json: UserId is the type of orderLine and of user'],
  ])('is rejected where JSON Schema cannot see the error: %j', (text, message) => {
    expect(() => parseManifest(text, 'a.json')).toThrow(message)
  })
})

describe('check --registry', () => {
  const shop = json('{"user":{"type":"UserId","version":7},"order":{"type":"OrderId","version":7}}')

  test('accepts services that share types', async () => {
    const billing = json('{"user":{"type":"UserId","version":7},"invoice":{"type":"InvoiceId","version":7}}')
    expect(await cli(['check', '--registry', shop, billing])).toEqual({ code: 0, out: '', err: '' })
  })

  test('fails when two services give one prefix to two things', async () => {
    const other = json(
      '{"user":{"type":"UserId","version":4},"order":{"type":"PurchaseOrderId","version":7}}',
    )
    expect(await cli(['check', '--registry', shop, other])).toEqual({
      code: 1,
      out: '',
      err: `user: UserId of version 7 in ${shop}, UserId of version 4 in ${other}
order: OrderId of version 7 in ${shop}, PurchaseOrderId of version 7 in ${other}
`,
    })
  })

  test.each([
    [['--registry'], 'check --registry expects manifests'],
    [['--registry', '--type', 'user', 'a.json'], 'check --registry expects manifests and no other option'],
  ])('rejects %j with exit code 2', async (args, message) => {
    const { code, err } = await cli(['check', ...args])
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
