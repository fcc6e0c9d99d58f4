import { defineErrors } from '../http/errors.ts'

/** Every error that the endpoints of this profile declare. */
export const ERRORS = defineErrors({
  invalid_user_id: { status: 400, detail: 'Invalid user ID' },
  expected_user_id: { status: 400, detail: 'Expected user ID' },
  invalid_team_id: { status: 400, detail: 'Invalid team ID' },
  expected_team_id: { status: 400, detail: 'Expected team ID' },
  user_not_found: { status: 404, detail: 'User not found' },
  team_not_found: { status: 404, detail: 'Team not found' },
})
