import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { defineErrors } from '../http/failures.ts'
import { text } from '../http/fields.ts'
import { OrderId, ProductId, TeamId, UserId } from '../ids.ts'

export const TeamCreate = z
  .object({ name: text({ max: 100 }) })
  .meta({ id: 'TeamCreate', example: { name: 'Engineering' } })

export const TeamResponse = z
  .object({
    id: idSchema(TeamId),
    name: text({ max: 100 }),
    member_ids: z.array(idSchema(UserId)),
  })
  .meta({
    id: 'TeamResponse',
    example: {
      id: TeamId.example,
      name: 'Engineering',
      member_ids: [UserId.example],
    },
  })

const userFields = {
  name: text({ max: 100 }),
  email: text({ max: 255 }),
  team_id: idSchema(TeamId).nullable(),
}
const exampleUser = { name: 'Ada', email: 'ada@example.com', team_id: null }

export const UserCreate = z
  .object({ ...userFields, team_id: userFields.team_id.default(null) })
  .meta({ id: 'UserCreate', example: exampleUser })

export const UserResponse = z
  .object({ id: idSchema(UserId), ...userFields })
  .meta({ id: 'UserResponse', example: { id: UserId.example, ...exampleUser } })

export const UserDeleted = z
  .object({ deleted: z.literal(true) })
  .meta({ id: 'UserDeleted', example: { deleted: true } })

const orderFields = {
  user_id: idSchema(UserId),
  product_id: idSchema(ProductId),
}
const exampleOrder = { user_id: UserId.example, product_id: ProductId.example }

/**
 * Only safe integers: JSON parsers can round integers beyond ±2^53 (RFC 8259,
 * section 6).
 */
const quantity = z
  .int()
  .meta({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER })

export const OrderCreate = z
  .object({ ...orderFields, quantity })
  .meta({ id: 'OrderCreate', example: { ...exampleOrder, quantity: 1 } })

export const OrderResponse = z
  .object({ order_id: idSchema(OrderId), ...orderFields })
  .meta({
    id: 'OrderResponse',
    example: { order_id: OrderId.example, ...exampleOrder },
  })

export const ERRORS = defineErrors({
  invalid_user_id: { status: 400, detail: 'Invalid user ID' },
  expected_user_id: { status: 400, detail: 'Expected user ID' },
  invalid_team_id: { status: 400, detail: 'Invalid team ID' },
  expected_team_id: { status: 400, detail: 'Expected team ID' },
  user_not_found: { status: 404, detail: 'User not found' },
  team_not_found: { status: 404, detail: 'Team not found' },
})
