import ts from 'typescript'
import { expect, test } from 'vitest'
import { defineId } from '../src/index.ts'
import { heyApi, openapiTypescript } from '../src/openapi.ts'

const { pattern, shortPattern } = defineId('user')
const uuidPattern = pattern.replace('user-', '')
const schema = (pattern: string, more = {}) => ({
  type: 'string',
  pattern,
  ...more,
})

const { transform, inject } = openapiTypescript(ts)
const print = (schema: object) => {
  const node: ts.Node | undefined = transform(schema)
  const file = ts.createSourceFile('', '', ts.ScriptTarget.Latest)
  return (
    node && ts.createPrinter().printNode(ts.EmitHint.Unspecified, node, file)
  )
}

// biome-ignore format: one schema a line
test.each([
  ['the standard form', schema(pattern), 'TypedId<"user">'],
  ['the short form', schema(shortPattern), 'ShortId<"user">'],
  ['a short form without a prefix', schema(shortPattern.replace('user_', '')), 'ShortId<"">'],
  ['both forms', schema(`${pattern}|${shortPattern}`), 'TypedId<"user"> | ShortId<"user">'],
  ['the standard form and bare UUIDs', schema(`${pattern}|${uuidPattern}`), 'TypedId<"user">'],
  ['the standard form and bare UUIDs, in any case', schema(`${pattern}|${uuidPattern.replaceAll('a-f', 'a-fA-F')}`), 'TypedId<"user">'],
  ['x-typed-id and another pattern', schema('^user', { 'x-typed-id': { prefix: 'user' } }), 'TypedId<"user">'],
  ['x-typeid without a pattern', { type: 'string', 'x-typeid': { prefix: 'user' } }, 'ShortId<"user">'],
  ['x-typeid with an empty prefix', { type: 'string', 'x-typeid': { prefix: '' } }, 'ShortId<"">'],
  ['two types', schema(`${pattern}|${shortPattern.replace('user', 'team')}`), undefined],
  ['an id and another string', schema(`${pattern}|^admin$`), undefined],
  ['a bare UUID', schema(uuidPattern), undefined],
  ['a string', { type: 'string' }, undefined],
])('a schema of %s has the type of its ids, or none', (_, schema, expected) => {
  expect(print(schema)).toBe(expected)
})

test('a prefix that is none is rejected: it would become code of the client', () => {
  const [injected, missing] = [{ prefix: "user'>" }, {} as { prefix: string }]
  for (const [key, value] of [
    ['x-typed-id', injected],
    ['x-typeid', injected],
    ['x-typed-id', missing],
  ] as const)
    expect(() => print({ [key]: value })).toThrow(
      `typed-id/openapi: expected the prefix of an id in ${key}, received`,
    )
})

test('openapiTypescript keeps request fields with a default optional', () => {
  expect(openapiTypescript(ts).defaultNonNullable).toBe(false)
})

test('openapiTypescript creates nodes of TypeScript, with null where it is valid', () => {
  expect(inject).toBe("import type { ShortId, TypedId } from 'typed-id'")
  const both = schema(`${pattern}|${shortPattern}`)
  for (const nullable of [{ type: ['string', 'null'] }, { nullable: true }])
    expect(print({ ...both, ...nullable })).toBe(
      'TypedId<"user"> | ShortId<"user"> | null',
    )
  expect(print({ ...schema(pattern), type: ['string'] })).toBe(
    'TypedId<"user">',
  )
})
test.each(['0.98.2', '0.9.0', ''])(
  'heyApi throws for version %j, which ignores the plugin',
  (version) => {
    expect(() => heyApi({ version })).toThrow(
      `expected @hey-api/openapi-ts 0.99 or later, received "${version}"`,
    )
  },
)

test.each(['0.99.0', '0.100.1', '1.0.0'])(
  'heyApi accepts version %s',
  (version) => {
    expect(heyApi({ version }).name).toBe('@hey-api/typescript')
  },
)

test('heyApi builds the types of ids, with null where it is valid, and leaves other types to the generator', () => {
  const { string, union } = heyApi({ version: '1.0.0' }).$resolvers
  const type = Object.assign(
    (name: string) => ({ generic: (of: unknown) => `${name}<${of}>` }),
    { literal: String, or: (...types: string[]) => types.join(' | ') },
  )
  const context = { $: { type }, plugin: { symbolOnce: String } }
  const both = schema(`${pattern}|${shortPattern}`)
  expect([both, {}].map((schema) => string({ ...context, schema }))).toEqual([
    'TypedId<user> | ShortId<user>',
    undefined,
  ])
  expect(
    [schema(pattern), {}].map((parentSchema) =>
      union({ ...context, parentSchema }),
    ),
  ).toEqual(['TypedId<user> | null', undefined])
})
