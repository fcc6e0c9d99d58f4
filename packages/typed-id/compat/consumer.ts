// Code of a user of the package. Every supported version of TypeScript compiles
// it against the packed declarations.
import {
  defineId,
  type IdOf,
  type IdType,
  idRegistry,
  type TypedIdError,
  uuidv4,
} from 'typed-id'
import { idCodec } from 'typed-id/codec'
import { idColumn } from 'typed-id/drizzle'
import { type IdColumn, idPlugin } from 'typed-id/kysely'
import { type OpaqueIds, opaqueIds } from 'typed-id/opaque'
import { heyApi } from 'typed-id/openapi'
import { idExtension } from 'typed-id/prisma'
import { countingUuids } from 'typed-id/testing'
import { defineTypeId, fromTypeId, type TypeIdType } from 'typed-id/typeid'
import { eitherFormSchema, type IdSchema, idSchema } from 'typed-id/zod'

export const UserId: IdType<'user'> = defineId('user')
export type UserId = IdOf<typeof UserId>
export const SessionId: IdType<'session'> = defineId('session', {
  uuid: Math.random() < 0.5 ? uuidv4 : countingUuids(),
})
export const LineId: TypeIdType<'order_line'> = defineTypeId('order_line')
export const user: UserId = fromTypeId(UserId, UserId.toShort(UserId.example))

export const userSchema: IdSchema<UserId> = idSchema(UserId)
export const eitherUserSchema: IdSchema<UserId, string> =
  eitherFormSchema(UserId)
export const userIds: OpaqueIds<typeof UserId> = opaqueIds(UserId, {
  keys: ['00112233445566778899aabbccddeeff'],
})
export const stored: string = idCodec(UserId, 'uuid', 'users.id').toDatabase(
  UserId.example,
)
export interface Users {
  id: IdColumn<typeof UserId>
}
export const column: unknown = idColumn
export const plugins: object[] = [idPlugin('uuid', { users: { id: UserId } })]
export const extension: object = idExtension([], 'uuid', {})
export const clientPlugin: { name: string } = heyApi({ version: '0.99.0' })

export function load(id: UserId): string {
  return UserId.toUuid(id)
}

export function read(input: unknown): UserId | undefined {
  if (UserId.is(input)) return input
  const result = UserId.safeParseEitherForm(input)
  if (result.success) return result.data
  const error: TypedIdError = result.error
  return error.code === 'wrong_type' ? undefined : UserId.example
}

const ids = idRegistry([UserId, SessionId])
const found = ids.parse('user-0190163d-8694-739b-aea5-966c26f8ad91')
if (found.type === 'user') load(found.id)

// @ts-expect-error an id of another type
load(SessionId.generate())
// @ts-expect-error a plain string
load('user-0190163d-8694-739b-aea5-966c26f8ad91')
// @ts-expect-error a prefix with a hyphen
defineId('no-hyphen')
// @ts-expect-error a TypeID of another type
LineId.toUuid(defineTypeId('user').example)
