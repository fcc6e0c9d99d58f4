import { defineId, type IdOf } from 'typed-id'

export const UserId = defineId('user')
export const TeamId = defineId('team')
export const RoleId = defineId('role')
export const OrderId = defineId('order')
export const ProductId = defineId('product')
export const SessionId = defineId('session')
export const TokenId = defineId('token')
export const AuditId = defineId('audit')

export type UserId = IdOf<typeof UserId>
export type TeamId = IdOf<typeof TeamId>
export type RoleId = IdOf<typeof RoleId>
export type OrderId = IdOf<typeof OrderId>
export type ProductId = IdOf<typeof ProductId>
export type SessionId = IdOf<typeof SessionId>
export type TokenId = IdOf<typeof TokenId>
export type AuditId = IdOf<typeof AuditId>
