import { expect, test } from 'vitest'
import { createApiClient as createA } from '#generated/openapi-zod-client/profile-a.ts'
import { createApiClient as createB } from '#generated/openapi-zod-client/profile-b.ts'
import { ADA, TEAM, USER } from '../ids.ts'

/** No service listens there, so a request that is sent fails with another error. */
const URL = 'http://127.0.0.1:1'

test('a wrong id from untyped code is rejected before the request is sent, also where null is valid', async () => {
  const user_id = TEAM as string as typeof USER
  await expect(createA(URL).getUser({ params: { user_id } })).rejects.toThrow(
    "Invalid Path parameter 'user_id'",
  )
  const team_id = USER as string as typeof TEAM
  await expect(createB(URL).createUser({ ...ADA, team_id })).rejects.toThrow("Invalid Body parameter 'body'")
})
