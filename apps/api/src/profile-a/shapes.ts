import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { email, text } from '../http/text.ts'
import { RoleId, TeamId, UserId } from '../ids.ts'

const roleFields = { name: text({ max: 50 }), description: text({ max: 200 }).nullable() }

export const RoleCreate = z
  .object({ ...roleFields, description: roleFields.description.default(null) })
  .meta({ id: 'RoleCreate', example: { name: 'admin', description: 'May do everything' } })

export const RoleResponse = z.object({ id: idSchema(RoleId), ...roleFields }).meta({ id: 'RoleResponse' })

export const TeamCreate = z
  .object({ name: text({ max: 100 }) })
  .meta({ id: 'TeamCreate', example: { name: 'Engineering' } })

export const TeamResponse = z
  .object({ id: idSchema(TeamId), name: text({ max: 100 }) })
  .meta({ id: 'TeamResponse' })

export const UserCreate = z
  .object({
    email: email({ max: 255 }),
    name: text({ max: 100 }),
    password: text({ min: 1 }).meta({ format: 'password', writeOnly: true }),
    team_id: idSchema(TeamId).nullable().default(null),
  })
  .meta({ id: 'UserCreate' })

export const UserUpdate = z
  .object({ name: text({ max: 100 }).nullish(), team_id: idSchema(TeamId).nullish() })
  .meta({ id: 'UserUpdate' })

export const UserResponse = z
  .object({
    id: idSchema(UserId),
    email: email({ max: 255 }),
    name: text({ max: 100 }),
    team: z.union([TeamResponse, z.null()]),
    roles: z.array(RoleResponse),
  })
  .meta({ id: 'UserResponse' })

export type Team = z.infer<typeof TeamResponse>
export type Role = z.infer<typeof RoleResponse>
export type User = z.infer<typeof UserResponse>
