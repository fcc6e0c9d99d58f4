import { idSchema } from 'typed-id/zod'
import { z } from 'zod'
import { defineErrors } from '../http/failures.ts'
import { text } from '../http/fields.ts'
import { RoleId, TeamId, UserId } from '../ids.ts'
import { isEmail } from './email-address.ts'

const email = text({ max: 255 })
  .check(({ value, issues }) => {
    if (!isEmail(value))
      issues.push({ code: 'invalid_format', format: 'email', input: value })
  })
  .meta({ format: 'email', maxLength: 255, example: 'ada@example.com' })

const roleFields = {
  name: text({ max: 50 }),
  description: text({ max: 200 }).nullable(),
}
const exampleRole = { name: 'auditor', description: 'May read everything' }

export const RoleCreate = z
  .object({ ...roleFields, description: roleFields.description.default(null) })
  .meta({ id: 'RoleCreate', example: exampleRole })

export const RoleResponse = z
  .object({ id: idSchema(RoleId), ...roleFields })
  .meta({ id: 'RoleResponse', example: { id: RoleId.example, ...exampleRole } })

export const TeamCreate = z
  .object({ name: text({ max: 100 }) })
  .meta({ id: 'TeamCreate', example: { name: 'Engineering' } })

export const TeamResponse = z
  .object({ id: idSchema(TeamId), name: text({ max: 100 }) })
  .meta({
    id: 'TeamResponse',
    example: { id: TeamId.example, name: 'Engineering' },
  })

const exampleUser = { email: 'ada@example.com', name: 'Ada' }

export const UserCreate = z
  .object({
    email,
    name: text({ max: 100 }),
    password: text({ min: 1 }).meta({ format: 'password', writeOnly: true }),
    team_id: idSchema(TeamId).nullable().default(null),
  })
  .meta({
    id: 'UserCreate',
    example: {
      ...exampleUser,
      password: 'correct horse battery staple',
      team_id: null,
    },
  })

/**
 * The service accepts null, and leaves the field unchanged. TypeScript rejects
 * null, because authors of clients could expect that it removes the value.
 */
const orUnchanged = <T extends z.ZodType>(schema: T) =>
  schema.nullish() as z.ZodOptional<z.ZodType<z.output<T> | null, z.input<T>>>

export const UserUpdate = z
  .object({
    name: orUnchanged(text({ max: 100 })),
    team_id: orUnchanged(idSchema(TeamId)),
  })
  .meta({
    id: 'UserUpdate',
    example: { name: 'Ada Lovelace', team_id: TeamId.example },
  })

export const UserResponse = z
  .object({
    id: idSchema(UserId),
    // Omits `format: email`, which excludes internationalized addresses.
    email: text({ max: 255 }),
    name: text({ max: 100 }),
    team: z.union([TeamResponse, z.null()]),
    roles: z.array(RoleResponse),
  })
  .meta({
    id: 'UserResponse',
    example: {
      id: UserId.example,
      ...exampleUser,
      team: { id: TeamId.example, name: 'Engineering' },
      roles: [{ id: RoleId.example, ...exampleRole }],
    },
  })

export const ERRORS = defineErrors({
  email_taken: { status: 400, detail: 'Email already registered' },
  role_name_taken: { status: 400, detail: 'Role name already exists' },
  user_not_found: { status: 404, detail: 'User not found' },
  team_not_found: { status: 404, detail: 'Team not found' },
  role_not_found: { status: 404, detail: 'Role not found' },
})
