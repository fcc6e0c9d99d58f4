import {
  createUuidv7After,
  defineId,
  type IdOf,
  type IdType,
  type UuidSource,
  uuidv4,
  uuidv7,
} from 'typed-id'

let sequence: UuidSource = uuidv7

/** Makes all new ids greater than a stored version 7 UUID, whatever the clock returns. */
export function continueIdsAfter(uuid: string): void {
  sequence = createUuidv7After(uuid)
}

const uuid: UuidSource = () => sequence()

export const UserId = defineId('user', { uuid })
export const TeamId = defineId('team', { uuid })
export const RoleId = defineId('role', { uuid })
export const OrderId = defineId('order', { uuid })
export const ProductId = defineId('product', { uuid })
// No endpoint uses the next three types, which the specification of the service defines for later endpoints. They have
// version 4, because the creation time of a session or a token must stay private.
export const SessionId = defineId('session', { uuid: uuidv4 })
export const TokenId = defineId('token', { uuid: uuidv4 })
export const AuditId = defineId('audit', { uuid })

export const ID_TYPES: readonly IdType<string>[] = [
  ...[UserId, TeamId, RoleId, OrderId, ProductId],
  ...[SessionId, TokenId, AuditId],
]

export type UserId = IdOf<typeof UserId>
export type TeamId = IdOf<typeof TeamId>
export type RoleId = IdOf<typeof RoleId>
export type OrderId = IdOf<typeof OrderId>
export type ProductId = IdOf<typeof ProductId>
export type SessionId = IdOf<typeof SessionId>
export type TokenId = IdOf<typeof TokenId>
export type AuditId = IdOf<typeof AuditId>
