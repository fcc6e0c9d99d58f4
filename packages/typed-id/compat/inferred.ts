// Exports without type annotations. TypeScript must be able to write their
// declarations with exported types only.
import { defineId, type IdOf, idRegistry } from 'typed-id'
import { heyApi } from 'typed-id/openapi'
import { idExtension } from 'typed-id/prisma'
import { idSchema } from 'typed-id/zod'

export const OrderId = defineId('order')
export type OrderId = IdOf<typeof OrderId>
export const ids = idRegistry([OrderId, defineId('product')])
export const schema = idSchema(OrderId)
export const make = () => ({
  id: OrderId.generate(),
  result: OrderId.safeParse(''),
  found: ids.parse(''),
})
export const extension = idExtension([], 'uuid', {})
export const plugin = heyApi({ version: '1.0.0' })
