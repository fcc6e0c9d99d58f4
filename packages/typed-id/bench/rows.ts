import { createId } from '@paralleldrive/cuid2'
import { nanoid } from 'nanoid'
import { nanoid as nanoid5 } from 'nanoid-5'
import { fromString, fromUUID, TypeID, toUUID, typeidUnboxed } from 'typeid-js'
import { monotonicFactory } from 'ulidx'
import { typeid as unikuTypeid } from 'uniku/typeid'
import { parse, stringify, v4, v7, validate } from 'uuid'
import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import type { Contender } from './harness.ts'

// Measures the built files, not the sources: run `pnpm build` first.
const built = (file: string) => new URL(`../dist/${file}`, import.meta.url).href
const { defineId, uuidv4 } = (await import(built('index.js'))) as typeof import('../src/index.ts')
const { idSchema } = (await import(built('zod.js'))) as typeof import('../src/zod.ts')

/** An operation of typed-id and the same operation of other packages. `target` is the expected ratio of the times. */
export interface Row {
  operation: string
  ours: Contender
  peers: readonly { peer: Contender; target?: number }[]
  /** Maximum number of bytes that one call of typed-id may allocate. */
  bytes?: number
}

// Eight types, as in an application. With a single type, V8 would treat its prefix as a constant.
const types = ['user', 'team', 'role', 'order', 'product', 'session', 'token', 'audit'].map((prefix) =>
  defineId(prefix),
)
const UserId = types[0] as (typeof types)[number]
/** The native function of Node 26 and Bun. */
const native = (globalThis as { Bun?: typeof crypto }).Bun ?? crypto
const { randomUUIDv7 } = native as { randomUUIDv7?: () => string }
const nativeUuidv7 = randomUUIDv7
  ? [{ peer: { name: 'native randomUUIDv7', run: () => randomUUIDv7.call(native) } }]
  : []

const RandomUserId = defineId('user', { uuid: uuidv4 })

/** Returns the texts as a request contains them: separate strings, not ropes or slices of other strings. */
const flatten = <T>(texts: T): T => JSON.parse(JSON.stringify(texts))
const COUNT = 4096 // with a few hundred texts, the branch predictor of the processor learns the path of each RegExp match
const ids = flatten(UserId.generateMany(COUNT))
const shorts = flatten(ids.map(UserId.toShort))
const uuids = flatten(ids.map(UserId.toUuid))
const bytes = ids.map(UserId.toBytes)
const pattern = new RegExp(UserId.pattern)

/** Invalid ids of eight kinds. */
const invalidIds = flatten(
  ids.map((id, i) => {
    const other = types[((i >> 3) % 7) + 1] as typeof UserId
    const ways = [
      other.fromUuid(UserId.toUuid(id)),
      UserId.toShort(id),
      UserId.toUuid(id),
      id.toUpperCase(),
      id.slice(0, -1),
      `${id} `,
      `${id.slice(0, -1)}g`,
      'undefined',
    ]
    return ways[i % ways.length] as string
  }),
)

const wrongEnds = flatten(ids.map((id) => `${id.slice(0, -1)}g`))

/** Invalid short ids of eight kinds. One of them is overflow: more than 128 bits. */
const invalidShorts = flatten(
  shorts.map((short, i) => {
    const other = types[((i >> 3) % 7) + 1] as typeof UserId
    const ways = [
      short.replace('user', other.prefix),
      short.replace('_0', '_8'),
      short.slice(5),
      short.toUpperCase(),
      short.slice(0, -1),
      `${short} `,
      `${short.slice(0, -1)}u`,
      'undefined',
    ]
    return ways[i % ways.length] as string
  }),
)

// Calls each function with valid and invalid values of every type, as an application does, before V8 compiles it.
for (const type of types) {
  for (const text of [...ids, ...invalidIds, ...shorts, ...invalidShorts]) {
    type.is(text)
    type.safeParse(text)
    type.safeParseAny(text)
    type.isAny(text)
  }
  for (const id of type.generateMany(COUNT))
    type.timestamp(type.fromBytes(type.toBytes(type.fromShort(type.toShort(id)))))
}

const ulid = monotonicFactory()
const json = (make: () => string) => () => JSON.stringify(make())

/** Calls a function below 12 others: an application has more than the 10 frames that a stack trace contains. */
function atDepth(depth: number, action: (text: string) => unknown, text: string): unknown {
  return depth > 0 ? atDepth(depth - 1, action, text) : action(text)
}

function parseByRegExp(text: string): string {
  if (!pattern.test(text))
    throw new Error(`malformed standard: expected user-<lowercase uuid>, received "${text}"`)
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
const five = (schema: z.ZodType) => z.object({ a: schema, b: schema, c: schema, d: schema, e: schema })
const ourObject = five(idSchema(UserId))
const regexSchema = z.string().regex(pattern)
const regexObject = five(z.string().regex(pattern))

const typeidFunctions = 'typeid-js functions'
const typeidClass = 'typeid-js class'
const ownRegExp = { name: 'RegExp of pattern', inputs: ids, run: (text: string) => pattern.test(text) }
const uuidValidate = { name: 'uuid validate', inputs: uuids, run: (text: string) => validate(text) }
const regExpOfInvalid = {
  name: 'RegExp of pattern',
  inputs: invalidIds,
  run: (text: string) => pattern.test(text),
}

export const rows: readonly Row[] = [
  {
    operation: 'generate',
    ours: { name: 'generate', run: () => UserId.generate() },
    bytes: 96,
    peers: [
      { peer: { name: typeidFunctions, run: () => typeidUnboxed('user') }, target: 13 },
      { peer: { name: 'uuidv7', run: () => uuidv7() }, target: 6 },
      { peer: { name: 'uuid v7', run: () => v7() }, target: 14 },
      { peer: { name: 'crypto.randomUUID', run: () => crypto.randomUUID() }, target: 1.4 },
      ...nativeUuidv7,
      // nanoid 6 returns slices of a 32 KB text. An id keeps the whole text in memory as long as it is referenced.
      { peer: { name: 'nanoid 6', run: () => nanoid() } },
      { peer: { name: 'nanoid 5', run: () => nanoid5() } },
      { peer: { name: 'Date.now alone', run: () => Date.now() } },
      { peer: { name: 'ulidx, monotonic', run: () => ulid() } },
      { peer: { name: 'uniku typeid', run: () => unikuTypeid('user') } },
      { peer: { name: 'cuid2', run: () => createId() } },
    ],
  },
  {
    operation: 'generate, version 4',
    ours: { name: 'generate', run: () => RandomUserId.generate() },
    peers: [
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the name is the code
      { peer: { name: 'user-${randomUUID()}', run: () => `user-${crypto.randomUUID()}` }, target: 0.9 },
      { peer: { name: 'uuid v4', run: () => v4() } },
    ],
  },
  {
    operation: 'generate and JSON.stringify',
    ours: { name: 'generate', run: json(() => UserId.generate()) },
    peers: [
      { peer: { name: typeidFunctions, run: json(() => typeidUnboxed('user')) }, target: 5 },
      { peer: { name: 'crypto.randomUUID', run: json(() => crypto.randomUUID()) }, target: 1.5 },
    ],
  },
  {
    operation: 'generateMany(1000), one id',
    ours: { name: 'generateMany', run: () => UserId.generateMany(1000), results: 1000 },
    peers: [{ peer: { name: 'loop of generate', run: loopOfGenerate, results: 1000 }, target: 1.5 }],
  },
  {
    operation: 'is, valid id',
    ours: { name: 'is', inputs: ids, run: (text: string) => UserId.is(text) },
    bytes: 0,
    peers: [
      { peer: ownRegExp, target: 1.8 },
      { peer: uuidValidate, target: 2.1 },
    ],
  },
  {
    operation: 'parse, valid id',
    ours: { name: 'parse', inputs: ids, run: (text: string) => UserId.parse(text) },
    bytes: 0,
    peers: [
      { peer: ownRegExp, target: 1.8 },
      { peer: uuidValidate, target: 2.1 },
    ],
  },
  {
    operation: 'is, invalid id',
    ours: { name: 'is', inputs: invalidIds, run: (text: string) => UserId.is(text) },
    peers: [{ peer: regExpOfInvalid, target: 4 }],
  },
  {
    operation: 'is, wrong last character',
    ours: { name: 'is', inputs: wrongEnds, run: (text: string) => UserId.is(text) },
    peers: [
      {
        peer: {
          name: 'RegExp of pattern',
          inputs: wrongEnds,
          run: (text: string) => pattern.test(text),
        },
        target: 1.5,
      },
    ],
  },
  {
    // 40 % of the time are V8's, to create an Error without a stack trace.
    operation: 'safeParse, invalid id',
    ours: { name: 'safeParse', inputs: invalidIds, run: (text: string) => UserId.safeParse(text) },
    peers: [
      {
        peer: {
          name: 'z.string().regex',
          inputs: invalidIds,
          run: (text: string) => regexSchema.safeParse(text),
        },
        target: 2,
      },
    ],
  },
  {
    // No target: V8 takes three quarters of the time to capture ten frames, 0.3 µs for a subclass of Error with
    // properties, and 0.3 µs for the two functions between `parse` and the error.
    operation: 'parse, invalid id, thrown',
    ours: {
      name: 'parse',
      inputs: invalidIds,
      run: (text: string) => throws(() => atDepth(12, UserId.parse, text)),
    },
    peers: [
      {
        peer: {
          name: 'RegExp and new Error',
          inputs: invalidIds,
          run: (text: string) => throws(() => atDepth(12, parseByRegExp, text)),
        },
      },
    ],
  },
  {
    operation: 'isAny, valid short id',
    ours: { name: 'isAny', inputs: shorts, run: (text: string) => UserId.isAny(text) },
    peers: [
      {
        peer: { name: typeidFunctions, inputs: shorts, run: (text: string) => fromString(text, 'user') },
        target: 7,
      },
    ],
  },
  {
    operation: 'isAny, invalid short id',
    ours: { name: 'isAny', inputs: invalidShorts, run: (text: string) => UserId.isAny(text) },
    peers: [
      {
        peer: {
          name: typeidFunctions,
          inputs: invalidShorts,
          run: (text: string) => throws(() => fromString(text, 'user')),
        },
        target: 200,
      },
    ],
  },
  {
    operation: 'toShort',
    ours: { name: 'toShort', inputs: ids, run: UserId.toShort },
    peers: [
      {
        peer: { name: typeidFunctions, inputs: uuids, run: (uuid: string) => fromUUID(uuid, 'user') },
        target: 6,
      },
      {
        peer: {
          name: typeidClass,
          inputs: uuids,
          run: (uuid: string) => TypeID.fromUUID('user', uuid).toString(),
        },
        target: 11,
      },
    ],
  },
  {
    operation: 'fromShort',
    ours: { name: 'fromShort', inputs: shorts, run: UserId.fromShort },
    peers: [
      {
        peer: {
          name: typeidFunctions,
          inputs: shorts,
          run: (short: string) => toUUID(fromString(short, 'user')),
        },
        target: 6,
      },
      {
        peer: {
          name: typeidClass,
          inputs: shorts,
          run: (short: string) => TypeID.fromString(short, 'user').toUUID(),
        },
        target: 11,
      },
    ],
  },
  {
    operation: 'toShort and fromShort',
    ours: { name: 'round trip', inputs: ids, run: (id: never) => UserId.fromShort(UserId.toShort(id)) },
    peers: [
      {
        peer: {
          name: typeidFunctions,
          inputs: uuids,
          run: (uuid: string) => toUUID(fromString(fromUUID(uuid, 'user'), 'user')),
        },
        target: 6,
      },
      {
        peer: {
          name: typeidClass,
          inputs: uuids,
          run: (uuid: string) => TypeID.fromString(TypeID.fromUUID('user', uuid).toString(), 'user').toUUID(),
        },
        target: 11,
      },
    ],
  },
  {
    operation: 'toBytes',
    ours: { name: 'toBytes', inputs: ids, run: UserId.toBytes },
    peers: [{ peer: { name: 'uuid parse', inputs: uuids, run: (uuid: string) => parse(uuid) }, target: 3.5 }],
  },
  {
    operation: 'fromBytes',
    ours: { name: 'fromBytes', inputs: bytes, run: UserId.fromBytes },
    peers: [
      {
        peer: { name: 'uuid stringify', inputs: bytes, run: (array: Uint8Array) => stringify(array) },
        target: 3.5,
      },
    ],
  },
  {
    operation: 'timestamp',
    ours: { name: 'timestamp', inputs: ids, run: UserId.timestamp },
    peers: [{ peer: { name: 'uuid parse', inputs: uuids, run: (uuid: string) => parse(uuid) }, target: 3.5 }],
  },
  {
    operation: 'zod object of five valid ids',
    ours: { name: 'idSchema', inputs: fiveIds, run: (value: unknown) => ourObject.parse(value) },
    peers: [
      {
        peer: {
          name: 'z.string().regex',
          inputs: fiveIds,
          run: (value: unknown) => regexObject.parse(value),
        },
        target: 1.4,
      },
    ],
  },
]

function loopOfGenerate(): string[] {
  const ids: string[] = []
  for (let i = 0; i < 1000; i++) ids.push(UserId.generate())
  return ids
}
