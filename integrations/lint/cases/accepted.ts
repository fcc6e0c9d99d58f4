import type { TypedIdError } from 'typed-id'
import { type User, type UserId, UserId as users } from './ids.ts'

declare const x: unknown
declare const pick: <T>(value: unknown) => T

export const parsed = users.parse(x)
export const annotated: UserId = parsed
export const empty = [] as UserId[]
export const constant = ['user-1'] as const
export const error = x as TypedIdError
export const definition = x as typeof users
export const other = x as User
export const inner = pick<UserId>(x) as string
export const callback = ((id: UserId) => id) as unknown
export const text = 'x as UserId' // no rule may match the text of a string
