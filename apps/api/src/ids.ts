import { defineId, type IdOf, uuidv4 } from 'typed-id'

export const UserId = defineId('user')
export const TeamId = defineId('team')
export const RoleId = defineId('role')
export const OrderId = defineId('order')
export const ProductId = defineId('product')
// Version 4 is random. Version 7 would reveal when a session began.
export const SessionId = defineId('session', { uuid: uuidv4 })
export const TokenId = defineId('token', { uuid: uuidv4 })
export const AuditId = defineId('audit')

export type UserId = IdOf<typeof UserId>
export type TeamId = IdOf<typeof TeamId>
export type RoleId = IdOf<typeof RoleId>
export type OrderId = IdOf<typeof OrderId>
export type ProductId = IdOf<typeof ProductId>
export type SessionId = IdOf<typeof SessionId>
export type TokenId = IdOf<typeof TokenId>
export type AuditId = IdOf<typeof AuditId>
