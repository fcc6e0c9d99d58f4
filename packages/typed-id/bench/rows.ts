import { nanoid } from 'nanoid'
import { fromString, fromUUID, toUUID, typeidUnboxed } from 'typeid-js'
import { typeid as unikuTypeid } from 'uniku/typeid'
import { parse, stringify, v7, validate } from 'uuid'
import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import type { Contender } from './harness.ts'

const built = (name: string) =>
  import(new URL(`../dist/${name}.js`, import.meta.url).href)
const { defineId, uuidv4 }: typeof import('../src/index.ts') =
  await built('index')
const { idSchema }: typeof import('../src/zod.ts') = await built('zod')

export interface Row {
  operation: string
  ours: Contender
  peers: readonly Contender[]
}

const call = (name: string, run: () => unknown): Contender => ({ name, run })

const onEach = <T>(
  name: string,
  inputs: readonly T[],
  run: (input: T) => unknown,
): Contender => ({ name, inputs, run })

const row = <T>(
  operation: string,
  inputs: readonly T[],
  run: (input: T) => unknown,
  ...peers: Contender[]
): Row => ({ operation, ours: onEach(operation, inputs, run), peers })

// Eight types, as in an application: V8 would treat the prefix of a single type
// as a constant and be faster.
const PREFIXES = 'user team role order product session token audit'
const types = PREFIXES.split(' ').map((prefix) => defineId(prefix))
const UserId = types[0] as (typeof types)[number]
const RandomUserId = defineId('user', { uuid: uuidv4 })

/**
 * Copies each string, because V8 stores a slice or a concatenation as a
 * reference to other strings. Reading a reference would distort the times.
 */
const flatten = <T>(texts: T): T => JSON.parse(JSON.stringify(texts))
// With fewer inputs, the processor would learn the branches of each RegExp
// match, and the times would be too short.
const COUNT = 4096
const ids = flatten(UserId.generateMany(COUNT))
const shorts = flatten(ids.map(UserId.toShort))
const uuids = flatten(ids.map(UserId.toUuid))
const bytes = ids.map(UserId.toBytes)
const pattern = new RegExp(UserId.pattern)

const invalidIds = flatten(
  ids.map((id, i) => {
    const ways = [
      id.replace('user', types[((i >> 3) % 7) + 1]?.prefix ?? ''),
      id.replaceAll('-', '_'),
      id.slice(5),
      `${id.slice(0, -1)}g`,
      id.toUpperCase(),
      id.slice(0, -1),
      `${id} `,
      'undefined',
    ]
    return ways[i % ways.length] as string
  }),
)

// Warms up each function with valid and invalid values of every type. Otherwise
// V8 would compile the function for valid ids of one type, which is faster than
// in a real program.
for (const type of types) {
  for (const text of [...ids, ...invalidIds, ...shorts]) {
    type.is(text)
    type.safeParse(text)
    type.safeParseEitherForm(text)
    type.isEitherForm(text)
  }
  for (const id of type.generateMany(COUNT))
    type.timestamp(
      type.fromBytes(type.toBytes(type.fromShort(type.toShort(id)))),
    )
}

/**
 * Calls `action` below `depth` more stack frames, so that V8 captures its
 * maximum of 10 frames for an error, as in most applications.
 */
function atDepth(
  depth: number,
  action: (text: string) => unknown,
  text: string,
): unknown {
  return depth > 0 ? atDepth(depth - 1, action, text) : action(text)
}

function parseByRegExp(text: string): string {
  if (!pattern.test(text))
    throw new Error(
      `malformed standard: expected user-<lowercase uuid>, received "${text}"`,
    )
  return text
}

function throws(action: () => unknown): boolean {
  try {
    action()
    return false
  } catch {
    return true
  }
}

const fiveIds = ids.map((_, i) => {
  const at = (n: number) => ids[(i + n) % COUNT]
  return { a: at(0), b: at(1), c: at(2), d: at(3), e: at(4) }
})
const five = (schema: z.ZodType) =>
  z.object({ a: schema, b: schema, c: schema, d: schema, e: schema })
const ourObject = five(idSchema(UserId))
const regexSchema = z.string().regex(pattern)
const regexObject = five(z.string().regex(pattern))

const typeidFunctions = 'typeid-js functions'

// One function for all inputs, so that V8 can treat `pattern` as a constant, as
// in an application.
const matches = (text: string) => pattern.test(text)
const byRegExp = (inputs: readonly string[]) =>
  onEach('RegExp of pattern', inputs, matches)
const validators = [
  byRegExp(ids),
  onEach('uuid validate', uuids, (text) => validate(text)),
]

const isId = (text: string) => UserId.is(text)

export const rows: readonly Row[] = [
  {
    operation: 'generate',
    ours: call('generate', () => UserId.generate()),
    peers: [
      call(typeidFunctions, () => typeidUnboxed('user')),
      call('uuidv7', () => uuidv7()),
      call('uuid v7', () => v7()),
      call('crypto.randomUUID', () => crypto.randomUUID()),
      call('nanoid 6', () => nanoid()),
      call('uniku typeid', () => unikuTypeid('user')),
    ],
  },
  {
    operation: 'generate, version 4',
    ours: call('generate', () => RandomUserId.generate()),
    peers: [call("'user-' + randomUUID", () => `user-${crypto.randomUUID()}`)],
  },
  row('is, valid id', ids, isId, ...validators),
  row('parse, valid id', ids, (text) => UserId.parse(text), ...validators),
  row('is, invalid id', invalidIds, isId, byRegExp(invalidIds)),
  row(
    'safeParse, invalid id',
    invalidIds,
    (text) => UserId.safeParse(text),
    onEach('z.string().regex', invalidIds, (text) =>
      regexSchema.safeParse(text),
    ),
  ),
  row(
    'parse, invalid id, thrown',
    invalidIds,
    (text) => throws(() => atDepth(12, UserId.parse, text)),
    onEach('RegExp and new Error', invalidIds, (text) =>
      throws(() => atDepth(12, parseByRegExp, text)),
    ),
  ),
  row(
    'isEitherForm, valid short id',
    shorts,
    (text) => UserId.isEitherForm(text),
    onEach(typeidFunctions, shorts, (text) => fromString(text, 'user')),
  ),
  row(
    'toShort',
    ids,
    UserId.toShort,
    onEach(typeidFunctions, uuids, (uuid) => fromUUID(uuid, 'user')),
  ),
  row(
    'fromShort',
    shorts,
    UserId.fromShort,
    onEach(typeidFunctions, shorts, (short) =>
      toUUID(fromString(short, 'user')),
    ),
  ),
  row(
    'toBytes',
    ids,
    UserId.toBytes,
    onEach('uuid parse', uuids, (uuid) => parse(uuid)),
  ),
  row(
    'fromBytes',
    bytes,
    UserId.fromBytes,
    onEach('uuid stringify', bytes, (array) => stringify(array)),
  ),
  row(
    'zod object of five valid ids',
    fiveIds,
    (value) => ourObject.parse(value),
    onEach('z.string().regex', fiveIds, (value) => regexObject.parse(value)),
  ),
]
