// A consumer with `moduleResolution: node10`, which does not read `exports`.
import { defineId, type IdOf } from 'typed-id'
import { idSchema } from 'typed-id/zod'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const id: UserId = UserId.generate()
export const schema = idSchema(UserId)
