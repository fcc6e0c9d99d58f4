import { PrismaPg } from '@prisma/adapter-pg'
import { defineId, type IdOf } from 'typed-id'
import { extendWithIds } from 'typed-id/prisma'
import { PrismaClient } from './generated/client/client.ts'
import { dataModel } from './generated/data-model.ts'

export const UserId = defineId('user')
export type UserId = IdOf<typeof UserId>
export const TeamId = defineId('team')
export type TeamId = IdOf<typeof TeamId>

/** The id types that comments in schema.prisma name. */
declare global {
  namespace PrismaIds {
    type UserId = IdOf<typeof UserId>
    type TeamId = IdOf<typeof TeamId>
  }
}

const adapter = new PrismaPg(process.env.DATABASE_URL ?? '')

/** Generates missing ids. The relation gives `teamId` its type. */
export const db = extendWithIds(
  new PrismaClient({ adapter }),
  dataModel,
  'uuid',
  { User: { id: UserId }, Team: { id: TeamId } },
)

export const createUser = (name: string, teamId: TeamId | null) =>
  db.user.create({ data: { name, teamId } })

export const findUser = (id: UserId) =>
  db.user.findUnique({ where: { id } })
