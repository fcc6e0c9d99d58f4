import { defineErrors } from '../http/errors.ts'

/** Every error that the endpoints of this profile declare. */
export const ERRORS = defineErrors({
  email_taken: { status: 400, detail: 'Email already registered' },
  role_name_taken: { status: 400, detail: 'Role name already exists' },
  user_not_found: { status: 404, detail: 'User not found' },
  team_not_found: { status: 404, detail: 'Team not found' },
  role_not_found: { status: 404, detail: 'Role not found' },
})
