import { createId } from '@paralleldrive/cuid2'
import { nanoid } from 'nanoid'
import { nanoid as nanoid5 } from 'nanoid-5'
import { fromString, fromUUID, TypeID, toUUID, typeidUnboxed } from 'typeid-js'
import { monotonicFactory } from 'ulidx'
import { typeid as unikuTypeid } from 'uniku/typeid'
import { parse, stringify, v7, validate } from 'uuid'
import { uuidv7 } from 'uuidv7'
import * as z from 'zod'
import type { Contender } from './harness.ts'
import { bad, badShorts, bytes, fiveIds, idSchema, ids, pattern, shorts, UserId, uuids } from './inputs.ts'

/** One line of the table: ours, and what each peer is expected to be slower by. */
export interface Row {
  operation: string
  ours: Contender
  peers: readonly { peer: Contender; target?: number }[]
  /** Upper limit for the bytes that ours allocates in a call. */
  bytes?: number
}

const ulid = monotonicFactory()
const json = (make: () => string) => () => JSON.stringify(make())

function refused(action: () => unknown): boolean {
  try {
    action()
    return false
  } catch {
    return true
  }
}

const five = (schema: z.ZodType) => z.object({ a: schema, b: schema, c: schema, d: schema, e: schema })
const ourObject = five(idSchema(UserId))
const regexObject = five(z.string().regex(pattern))

const typeidFunctions = 'typeid-js functions'
const typeidClass = 'typeid-js class'
const itsRegExp = { name: 'its own RegExp', inputs: ids, run: (text: string) => pattern.test(text) }
const uuidValidate = { name: 'uuid validate', inputs: uuids, run: (text: string) => validate(text) }
const badRegExp = { name: 'its own RegExp', inputs: bad, run: (text: string) => pattern.test(text) }

export const rows: readonly Row[] = [
  {
    operation: 'generate',
    ours: { name: 'generate', run: () => UserId.generate() },
    bytes: 96,
    peers: [
      { peer: { name: typeidFunctions, run: () => typeidUnboxed('user') }, target: 13 },
      { peer: { name: 'uuidv7', run: () => uuidv7() }, target: 6 },
      { peer: { name: 'uuid v7', run: () => v7() }, target: 14 },
      { peer: { name: 'crypto.randomUUID', run: () => crypto.randomUUID() }, target: 1.8 },
      // Version 6 hands out slices of a text of 32 KB, which each id that is kept keeps in memory as well.
      { peer: { name: 'nanoid 6', run: () => nanoid() }, target: 2 },
      { peer: { name: 'nanoid 5', run: () => nanoid5() } },
      { peer: { name: 'Date.now alone', run: () => Date.now() } },
      { peer: { name: 'ulidx, monotonic', run: () => ulid() } },
      { peer: { name: 'uniku typeid', run: () => unikuTypeid('user') } },
      { peer: { name: 'cuid2', run: () => createId() } },
    ],
  },
  {
    operation: 'generate, flat and as JSON',
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
    operation: 'is, good id',
    ours: { name: 'is', inputs: ids, run: (text: string) => UserId.is(text) },
    bytes: 0,
    peers: [
      { peer: itsRegExp, target: 1.8 },
      { peer: uuidValidate, target: 2.1 },
    ],
  },
  {
    operation: 'parse, good id',
    ours: { name: 'parse', inputs: ids, run: (text: string) => UserId.parse(text) },
    bytes: 0,
    peers: [
      { peer: itsRegExp, target: 1.8 },
      { peer: uuidValidate, target: 2.1 },
    ],
  },
  {
    operation: 'is, bad id',
    ours: { name: 'is', inputs: bad, run: (text: string) => UserId.is(text) },
    peers: [{ peer: badRegExp, target: 4 }],
  },
  {
    operation: 'safeParse, bad id',
    ours: { name: 'safeParse', inputs: bad, run: (text: string) => UserId.safeParse(text) },
    peers: [{ peer: badRegExp, target: 4 }],
  },
  {
    operation: 'isAny, good short id',
    ours: { name: 'isAny', inputs: shorts, run: (text: string) => UserId.isAny(text) },
    peers: [
      {
        peer: { name: typeidFunctions, inputs: shorts, run: (text: string) => fromString(text, 'user') },
        target: 7,
      },
    ],
  },
  {
    operation: 'isAny, bad short id',
    ours: { name: 'isAny', inputs: badShorts, run: (text: string) => UserId.isAny(text) },
    peers: [
      {
        peer: {
          name: typeidFunctions,
          inputs: badShorts,
          run: (text: string) => refused(() => fromString(text, 'user')),
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
    operation: 'zod object of five ids, good',
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
  const made: string[] = []
  for (let i = 0; i < 1000; i++) made.push(UserId.generate())
  return made
}
