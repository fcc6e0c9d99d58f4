import { initTRPC, TRPCError } from '@trpc/server'
import { idSchema } from 'typed-id/zod'
import * as z from 'zod'
import { TeamId, UserId } from './ids.ts'

const t = initTRPC.create()

const users = new Map<UserId, { id: UserId; team_id: TeamId | null }>()

export const router = t.router({
  /** An id type is a Standard Schema, so tRPC accepts it as an input parser. */
  user: t.procedure.input(UserId).query(({ input }) => {
    const user = users.get(input)
    if (!user) throw new TRPCError({ code: 'NOT_FOUND', message: 'User not found' })
    return user
  }),
  /** An id in an object is validated by its zod schema. */
  createUser: t.procedure.input(z.object({ team_id: idSchema(TeamId).nullable() })).mutation(({ input }) => {
    const user = { id: UserId.generate(), ...input }
    users.set(user.id, user)
    return user
  }),
})

export const createCaller = t.createCallerFactory(router)
