// A consumer with a module resolution that does not read `exports`. zod 4 and kysely 0.28 need another resolution.
import { defineId, type IdOf } from 'typed-id'
import { toBase62 } from 'typed-id/base62'
import { idFromName } from 'typed-id/name'
import { countingUuids } from 'typed-id/testing'

export const UserId = defineId('user', { uuid: countingUuids() })
export type UserId = IdOf<typeof UserId>
export const text: string = toBase62(UserId, UserId.generate())
export const idOfName: Promise<UserId> = idFromName(UserId, 'ada')
