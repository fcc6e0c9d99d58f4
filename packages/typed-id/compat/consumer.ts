// The code of a user of the package. Every supported TypeScript compiles it against the packed declarations.
import { createUuidv7, defineId, type IdOf, type IdType, idRegistry, TypedIdError, uuidv4 } from 'typed-id'
import { type Base62Id, toBase62 } from 'typed-id/base62'
import { type IdColumn, idCheck } from 'typed-id/kysely'
import { idFromName } from 'typed-id/name'
import { firstIdAt } from 'typed-id/range'
import { countingUuids } from 'typed-id/testing'
import { acceptUuid, anyIdSchema, type IdSchema, idSchema } from 'typed-id/zod'

export const UserId: IdType<'user'> = defineId('user')
export type UserId = IdOf<typeof UserId>
export const SessionId: IdType<'session'> = defineId('session', { uuid: uuidv4 })
export const SeededId: IdType<'seeded'> = defineId('seeded', { uuid: createUuidv7({ now: () => 0 }) })
export const userSchema: IdSchema<'user'> = idSchema(UserId)
export const anyUserSchema: IdSchema<'user'> = anyIdSchema(UserId)
export const oldUserSchema: IdSchema<'user'> = acceptUuid(UserId)

export const CountedId: IdType<'counted'> = defineId('counted', { uuid: countingUuids() })
export const base62Id: Base62Id<'user'> = toBase62(UserId, UserId.example)
export const idOfName: Promise<UserId> = idFromName(UserId, 'ada@example.com')
export const bound: UserId = firstIdAt(UserId, 0)
export interface Users {
  id: IdColumn<typeof UserId>
}
export const check: string = typeof idCheck(UserId, 'id', 'sqlite')

export function load(id: UserId): string {
  return UserId.toUuid(id)
}

export function read(input: unknown): UserId | undefined {
  if (UserId.is(input)) return input
  const result = UserId.safeParseAny(input)
  if (result.success) return result.data
  if (result.error instanceof TypedIdError && result.error.code === 'wrong_type') return undefined
  return undefined
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
