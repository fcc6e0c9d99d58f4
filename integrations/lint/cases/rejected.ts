import type { IdOf, ShortId, TypedId } from 'typed-id'
import type { TypeId } from 'typed-id/typeid'
import type * as ids from './ids.ts'
import type { UserId } from './ids.ts'

declare const x: unknown

export const name = x as UserId
export const twice = x as unknown as UserId
// @ts-expect-error: brackets are not erasable syntax
export const brackets = <UserId>x
export const generic = x as TypedId<'user'>
export const short = x as ShortId<'user'>
export const typeId = x as TypeId<'order_line'>
export const idOf = x as IdOf<{ example: UserId }>
export const namespace = x as ids.UserId
export const imported = x as import('./ids.ts').UserId
// @ts-expect-error: the file has no namespace
export const nested = x as import('./ids.ts').ids.UserId
export const array = x as UserId[]
// @ts-expect-error: brackets are not erasable syntax
export const arrayBrackets = <UserId[]>x
export const nullable = x as UserId | null
export const row = x as { id: UserId }
export const property = { id: x as UserId }
export const member = (x as UserId).length
export const comment = x as /* checked above */ UserId
