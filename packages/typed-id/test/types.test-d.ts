import type { StandardSchemaV1 } from '@standard-schema/spec'
import type { Kysely } from 'kysely'
import { assertType, expectTypeOf, test } from 'vitest'
import * as z from 'zod'
import {
  defineId,
  type IdOf,
  type IdType,
  idRegistry,
  type ShortId,
  type TypedId,
  withJsonSchema,
} from '../src/index.ts'
import type { IdColumn } from '../src/kysely.ts'
import { opaqueIds } from '../src/opaque.ts'
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
  typeid,
  typeidUnboxed,
} from '../src/typeid.ts'
import {
  eitherFormSchema,
  idSchema,
  opaqueIdSchema,
  registrySchema,
  shortIdSchema,
  uuidOrIdSchema,
} from '../src/zod.ts'

const UserId = defineId('user')
type UserId = IdOf<typeof UserId>
const TeamId = defineId('team')
type TeamId = IdOf<typeof TeamId>

const PersonId = defineTypeId('user')
type PersonId = IdOf<typeof PersonId>
const LineId = defineTypeId('order_line')
type LineId = IdOf<typeof LineId>
const BareId = defineTypeId('')
type BareId = IdOf<typeof BareId>

declare const personId: PersonId
declare const lineId: LineId
declare const bareId: BareId
declare const userId: UserId
declare const teamId: TeamId
declare const anyString: string
declare const unknownValue: unknown
const OPAQUE = opaqueIds(UserId, { keys: [anyString] })
const LETTERS_63 =
  'abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijk'

test('an id is a string with its prefix, and its type is an IdType<string>', () => {
  assertType<`user-${string}`>(userId)
  assertType<TypedId<string>>(userId)
  assertType<`order_line_${string}`>(lineId)
  assertType<string>(bareId)
  assertType<TypeId<string>[]>([personId, bareId])
  assertType<IdType<string>[]>([UserId, TeamId])
  assertType<TypeIdType<string>[]>([PersonId, LineId, BareId])
})

test('an id compares with literals of its type only', () => {
  assertType(userId === 'user-0190163d-8694-739b-aea5-966c26f8ad91')
  // @ts-expect-error the literal of another type
  assertType(userId === 'team-0190163d-8694-739b-aea5-966c26f8ad91')
})

test('nothing else is an id', () => {
  // @ts-expect-error another type
  assertType<UserId>(teamId)
  // @ts-expect-error a plain string
  assertType<UserId>(anyString)
  // @ts-expect-error an unbranded literal of the right shape
  assertType<UserId>('user-0190163d-8694-739b-aea5-966c26f8ad91')
  // @ts-expect-error a short id
  assertType<UserId>(UserId.toShort(userId))
  // @ts-expect-error any id
  assertType<UserId>({} as TypedId<string>)
  // @ts-expect-error ids of two types are never equal
  assertType(userId === teamId)
})

test('nothing else is a TypeID', () => {
  // @ts-expect-error another type
  assertType<PersonId>(lineId)
  // @ts-expect-error no prefix
  assertType<PersonId>(bareId)
  // @ts-expect-error a prefix
  assertType<BareId>(personId)
  // @ts-expect-error a plain string
  assertType<BareId>(anyString)
  // @ts-expect-error an unbranded literal of the right shape
  assertType<PersonId>('user_01j0b3v1mmeedtx9cpdgkfhbch')
  // @ts-expect-error any TypeID
  assertType<PersonId>({} as TypeId<string>)
  // @ts-expect-error a standard id
  assertType<PersonId>(userId)
})

test('functions accept and return ids of the same type', () => {
  // @ts-expect-error another type
  UserId.toShort(teamId)
  // @ts-expect-error another type
  PersonId.toUuid(lineId)
  expectTypeOf(UserId.generate()).toEqualTypeOf<UserId>()
  expectTypeOf(UserId.parse(unknownValue)).toEqualTypeOf<UserId>()
  expectTypeOf(UserId.fromShort(anyString)).toEqualTypeOf<UserId>()
  expectTypeOf(UserId.toShort(userId)).toEqualTypeOf<ShortId<'user'>>()
  expectTypeOf(UserId.timestamp(userId)).toEqualTypeOf<Date | undefined>()
  expectTypeOf(BareId.parse(unknownValue)).toEqualTypeOf<BareId>()
})

test('success narrows a result', () => {
  const result = UserId.safeParse(unknownValue)
  if (result.success) expectTypeOf(result.data).toEqualTypeOf<UserId>()
  else expectTypeOf(result.error.code).toBeString()
  // @ts-expect-error undefined unless success is true
  assertType<UserId>(result.data)
})

test('a prefix is checked at compile time', () => {
  defineId('a')
  defineId('OrderLine2')
  expectTypeOf(defineId(anyString)).toEqualTypeOf<IdType<string>>()
  // @ts-expect-error a hyphen
  defineId('no-hyphen')
  // @ts-expect-error an underscore
  defineId('no_underscore')
  // @ts-expect-error empty
  defineId('')
  // @ts-expect-error a letter outside ASCII
  defineId('bücher')
  defineId(LETTERS_63)
  // @ts-expect-error 64 letters
  defineId(`${LETTERS_63}x`)
})

test('a registry is a discriminated union', () => {
  const ids = idRegistry([UserId, TeamId])
  const found = ids.parse(unknownValue)
  expectTypeOf(found.type).toEqualTypeOf<'user' | 'team'>()
  if (found.type === 'user') expectTypeOf(found.id).toEqualTypeOf<UserId>()
  else expectTypeOf(found.id).toEqualTypeOf<TeamId>()
  expectTypeOf(ids.generate('team')).toEqualTypeOf<TeamId>()
  expectTypeOf(ids.generate('team' as 'user' | 'team')).toEqualTypeOf<
    UserId | TeamId
  >()
  if (ids.is(unknownValue))
    expectTypeOf(unknownValue).toEqualTypeOf<UserId | TeamId>()
  // @ts-expect-error a type that is not registered
  ids.generate('role')
})

test('the input of a schema is what it accepts, and its output is the id', () => {
  const ids = idRegistry([UserId, TeamId])
  const body = z.object({
    id: idSchema(UserId),
    short: shortIdSchema(UserId),
    any: eitherFormSchema(TeamId).optional(),
    old: uuidOrIdSchema(UserId),
    opaque: opaqueIdSchema(OPAQUE),
    target: registrySchema(ids),
  })
  expectTypeOf<z.input<typeof body>>().toEqualTypeOf<{
    id: UserId
    short: ShortId<'user'>
    any?: TeamId | ShortId<'team'> | undefined
    old: string
    opaque: UserId
    target: UserId | TeamId
  }>()
  expectTypeOf<z.output<typeof body>>().toEqualTypeOf<{
    id: UserId
    short: ShortId<'user'>
    any?: TeamId | undefined
    old: UserId
    opaque: UserId
    target: UserId | TeamId
  }>()
})

test('the option input types the input of a schema as string', () => {
  const form = z.object({
    id: idSchema(UserId, { input: 'string', id: 'FormUserId' }),
    short: shortIdSchema(UserId, { input: 'string' }),
    any: eitherFormSchema(UserId, { input: 'string' }),
    opaque: opaqueIdSchema(OPAQUE, { input: 'string' }),
    target: registrySchema(idRegistry([UserId]), { input: 'string' }),
  })
  type Form = Record<'id' | 'any' | 'opaque' | 'target', UserId>
  expectTypeOf<z.input<typeof form>>().toEqualTypeOf<
    Record<keyof Form | 'short', string>
  >()
  expectTypeOf<Omit<z.output<typeof form>, 'short'>>().toEqualTypeOf<Form>()
  assertType<z.ZodType<UserId, string>>(idSchema(UserId))
  assertType<StandardSchemaV1<string, UserId>>(UserId)
})

test('the input and the output of a Standard Schema are ids', () => {
  const ids = idRegistry([UserId, LineId])
  const same = <T>(_: StandardSchemaV1<T, T>) => expectTypeOf<T>()
  same(UserId).toEqualTypeOf<UserId>()
  same(LineId).toEqualTypeOf<ShortId<'order_line'>>()
  same(ids).toEqualTypeOf<UserId | ShortId<'order_line'>>()
  same(withJsonSchema(UserId)).toEqualTypeOf<UserId>()
  // @ts-expect-error the input is not the id of another type
  assertType<StandardSchemaV1<TeamId, UserId>>(UserId)
})

test('is of one type and of a registry narrow both branches', () => {
  if (UserId.is(unknownValue))
    expectTypeOf(unknownValue).toEqualTypeOf<UserId>()
  const id = userId as UserId | TeamId
  if (UserId.is(id)) expectTypeOf(id).toEqualTypeOf<UserId>()
  else expectTypeOf(id).toEqualTypeOf<TeamId>()
  if (idRegistry([UserId, TeamId]).is(id))
    expectTypeOf(id).toEqualTypeOf<UserId | TeamId>()
  const typeId = personId as PersonId | LineId
  if (PersonId.is(typeId)) expectTypeOf(typeId).toEqualTypeOf<PersonId>()
  else expectTypeOf(typeId).toEqualTypeOf<LineId>()
})

test('is narrows an id of another type to never', () => {
  if (TeamId.is(userId)) expectTypeOf(userId).toBeNever()
  if (TeamId.isEitherForm(userId)) expectTypeOf(userId).toBeNever()
  else expectTypeOf(userId).toEqualTypeOf<UserId>()
  // biome-ignore lint/suspicious/noExplicitAny: any narrows, too
  const any: any = userId
  if (UserId.is(any)) expectTypeOf(any).toEqualTypeOf<UserId>()
  const id: TypedId<string> = userId
  if (UserId.is(id)) expectTypeOf(id).toEqualTypeOf<UserId>()
  const ids: unknown[] = []
  expectTypeOf(ids.filter(UserId.is)).toEqualTypeOf<UserId[]>()
  const either = defineId('user' as 'user' | 'team')
  const other = defineId('team' as 'team' | 'order').example
  // `either` and `other` may both have the prefix `team`, so `is` must not
  // narrow `other` to never.
  if (either.is(other)) expectTypeOf(other).not.toBeNever()
})

declare const db: Kysely<{
  users: { id: IdColumn<typeof UserId>; referrer: UserId | null }
}>

test('an id column returns ids of its type, accepts no other value and cannot be updated', () => {
  const query = db.selectFrom('users').select('id')
  expectTypeOf(query.executeTakeFirstOrThrow).returns.resolves.toEqualTypeOf<{
    id: UserId
  }>()
  // @ts-expect-error: a plain string is not an id
  db.insertInto('users').values({ id: 'user-1', referrer: null })
  // @ts-expect-error: an IdColumn cannot be updated
  db.updateTable('users').set({ id: UserId.generate() })
})

test('a function of short ids infers the prefix of a TypeID, and the reverse', () => {
  const ofShortId = <P extends string>(id: ShortId<P>) => id as unknown as P
  assertType<'order_line'>(ofShortId(lineId))
  assertType<'user'>(getType(UserId.toShort(userId)))
})

test('a prefix of a TypeID is checked at compile time', () => {
  defineTypeId('a__b')
  defineTypeId(LETTERS_63)
  expectTypeOf(defineTypeId(anyString)).toEqualTypeOf<TypeIdType<string>>()
  // @ts-expect-error an uppercase letter
  defineTypeId('User')
  // @ts-expect-error a digit
  defineTypeId('user2')
  // @ts-expect-error an underscore at the start
  defineTypeId('_user')
  // @ts-expect-error an underscore at the end
  defineTypeId('user_')
  // @ts-expect-error 64 letters
  defineTypeId(`${LETTERS_63}x`)
})

test('a TypeID converts to the type of defineId with the same prefix only', () => {
  expectTypeOf(toTypeId(UserId, userId)).toEqualTypeOf<PersonId>()
  expectTypeOf(fromTypeId(UserId, personId)).toEqualTypeOf<UserId>()
  expectTypeOf<ShortId<'user'>>().toEqualTypeOf<PersonId>()
  // @ts-expect-error another type
  fromTypeId(UserId, lineId)
  // @ts-expect-error a prefix that TypeID does not allow
  toTypeId(defineId('User2'), defineId('User2').generate())
})

test('the names of typeid-js have its types', () => {
  expectTypeOf(typeid()).toEqualTypeOf<TypeID<''>>()
  expectTypeOf(typeid('user')).toEqualTypeOf<TypeID<'user'>>()
  assertType<`user_${string}`>(typeid('user').toString())
  expectTypeOf(typeidUnboxed('user')).toEqualTypeOf<PersonId>()
  expectTypeOf(fromString(anyString, 'order_line')).toEqualTypeOf<LineId>()
  expectTypeOf(fromString(anyString)).toEqualTypeOf<TypeId<string>>()
  expectTypeOf(fromUUID(anyString, 'user')).toEqualTypeOf<PersonId>()
  expectTypeOf(getType(lineId)).toEqualTypeOf<'order_line'>()
  // @ts-expect-error another type
  assertType<TypeID<'user'>>(typeid('team'))
})
