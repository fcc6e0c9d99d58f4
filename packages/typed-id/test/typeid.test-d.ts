import { assertType, expectTypeOf, test } from 'vitest'
import {
  defineId,
  type IdOf,
  type ShortId,
  type TypedId,
} from '../src/index.ts'
import {
  defineTypeId,
  fromString,
  fromTypeId,
  fromUUID,
  getType,
  type TypeID,
  type TypeId,
  type TypeIdType,
  toTypeId,
  toUUID,
  typeid,
  typeidUnboxed,
} from '../src/typeid.ts'

const UserId = defineTypeId('user')
type UserId = IdOf<typeof UserId>
const LineId = defineTypeId('order_line')
type LineId = IdOf<typeof LineId>
const BareId = defineTypeId('')
type BareId = IdOf<typeof BareId>

declare const userId: UserId
declare const lineId: LineId
declare const bareId: BareId
declare const anyString: string
declare const unknownValue: unknown

test('a TypeID is a string with its prefix', () => {
  assertType<`order_line_${string}`>(lineId)
  assertType<string>(bareId)
  assertType<TypeId<string>[]>([userId, bareId])
})

test('a function of short ids infers the prefix of a TypeID, and the reverse', () => {
  const ofShortId = <P extends string>(id: ShortId<P>) => id as unknown as P
  assertType<'order_line'>(ofShortId(lineId))
  assertType<'user'>(getType(defineId('user').toShort({} as TypedId<'user'>)))
})

test('nothing else is a TypeID', () => {
  // @ts-expect-error another type
  assertType<UserId>(lineId)
  // @ts-expect-error no prefix
  assertType<UserId>(bareId)
  // @ts-expect-error a prefix
  assertType<BareId>(userId)
  // @ts-expect-error a plain string
  assertType<UserId>(anyString)
  // @ts-expect-error a plain string
  assertType<BareId>(anyString)
  // @ts-expect-error an unbranded literal of the right shape
  assertType<UserId>('user_01j0b3v1mmeedtx9cpdgkfhbch')
  // @ts-expect-error any TypeID
  assertType<UserId>({} as TypeId<string>)
  // @ts-expect-error a standard id
  assertType<UserId>({} as TypedId<'user'>)
})

test('functions accept and return TypeIDs of the same type', () => {
  expectTypeOf(UserId.generate()).toEqualTypeOf<UserId>()
  expectTypeOf(LineId.generateMany(2)).toEqualTypeOf<LineId[]>()
  expectTypeOf(BareId.parse(unknownValue)).toEqualTypeOf<BareId>()
  expectTypeOf(UserId.fromUuid(anyString)).toEqualTypeOf<UserId>()
  // @ts-expect-error another type
  UserId.toUuid(lineId)
  // @ts-expect-error a plain string
  UserId.toBytes(anyString)
  if (UserId.is(unknownValue))
    expectTypeOf(unknownValue).toEqualTypeOf<UserId>()
  const id = userId as UserId | LineId
  if (UserId.is(id)) expectTypeOf(id).toEqualTypeOf<UserId>()
  else expectTypeOf(id).toEqualTypeOf<LineId>()
})

test('a prefix is checked at compile time', () => {
  defineTypeId('a')
  defineTypeId('a_b')
  defineTypeId('a__b')
  defineTypeId(
    'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghi_k',
  )
  expectTypeOf(defineTypeId(anyString)).toEqualTypeOf<TypeIdType<string>>()
  // @ts-expect-error an uppercase letter
  defineTypeId('User')
  // @ts-expect-error a digit
  defineTypeId('user2')
  // @ts-expect-error an underscore at the start
  defineTypeId('_user')
  // @ts-expect-error an underscore at the end
  defineTypeId('user_')
  // @ts-expect-error an underscore alone
  defineTypeId('_')
  // @ts-expect-error a hyphen
  defineTypeId('no-hyphen')
  // @ts-expect-error a letter outside ASCII
  defineTypeId('bücher')
  defineTypeId(
    // @ts-expect-error 64 letters
    'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijkl',
  )
})

test('a type of any prefix is a TypeIdType<string>', () => {
  assertType<TypeIdType<string>[]>([UserId, LineId, BareId])
})

test('a TypeID converts to the type of defineId with the same prefix only', () => {
  const CoreId = defineId('user')
  expectTypeOf(toTypeId(CoreId, CoreId.generate())).toEqualTypeOf<UserId>()
  expectTypeOf(fromTypeId(CoreId, userId)).toEqualTypeOf<TypedId<'user'>>()
  expectTypeOf<ShortId<'user'>>().toEqualTypeOf<UserId>()
  // @ts-expect-error another type
  fromTypeId(CoreId, lineId)
  // @ts-expect-error no prefix
  fromTypeId(CoreId, bareId)
  // @ts-expect-error a prefix that TypeID does not allow
  toTypeId(defineId('User2'), defineId('User2').generate())
})

test('the names of typeid-js have its types', () => {
  expectTypeOf(typeid()).toEqualTypeOf<TypeID<''>>()
  expectTypeOf(typeid('user')).toEqualTypeOf<TypeID<'user'>>()
  assertType<`user_${string}`>(typeid('user').toString())
  expectTypeOf(typeidUnboxed('user')).toEqualTypeOf<UserId>()
  expectTypeOf(typeidUnboxed()).toEqualTypeOf<BareId>()
  expectTypeOf(fromString(anyString, 'order_line')).toEqualTypeOf<LineId>()
  expectTypeOf(fromString(anyString)).toEqualTypeOf<TypeId<string>>()
  expectTypeOf(fromUUID(anyString, 'user')).toEqualTypeOf<UserId>()
  expectTypeOf(getType(lineId)).toEqualTypeOf<'order_line'>()
  toUUID(bareId)
  // @ts-expect-error another type
  assertType<TypeID<'user'>>(typeid('team'))
  // @ts-expect-error a plain string
  toUUID(anyString)
})
