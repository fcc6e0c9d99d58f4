import type { extendWithIds } from 'typed-id/prisma'
import { TeamId, UserId } from '../ids.ts'
import type { PrismaClient } from './generated/postgres-uuid/client/client.ts'

/*
 * Ten calls with a wrong id, none of which may compile. `schema.ts` copies this file beside each generated client, so the
 * compiler checks them for each storage, engine and version.
 */
const [user, team] = [UserId.example, TeamId.example]

type Extended = ReturnType<typeof extendWithIds<PrismaClient>>

export async function mistakes(prisma: Extended) {
  // @ts-expect-error: findMany
  await prisma.user.findMany({ where: { id: team } })
  // @ts-expect-error: a list
  await prisma.user.findMany({ where: { id: { in: [team] } } })
  // @ts-expect-error: findUnique
  await prisma.user.findUnique({ where: { id: team } })
  // @ts-expect-error: a cursor
  await prisma.user.findMany({ cursor: { id: team } })
  // @ts-expect-error: a foreign key of a new record
  await prisma.user.create({ data: { name: 'Ada', teamId: user } })
  // @ts-expect-error: an update
  await prisma.user.update({ where: { id: user }, data: { teamId: user } })
  // @ts-expect-error: the record of an update
  await prisma.user.update({ where: { id: team }, data: { name: 'Ada' } })
  // @ts-expect-error: delete
  await prisma.user.delete({ where: { id: team } })
  // @ts-expect-error: connect
  await prisma.team.update({ where: { id: team }, data: { users: { connect: { id: team } } } })
  // @ts-expect-error: a string that nothing has checked
  await prisma.user.findUnique({ where: { id: 'user-1' as string } })
}

/** The same calls with the right id compile. */
export async function correct(prisma: Extended): Promise<UserId | undefined> {
  await prisma.user.findMany({ where: { id: { in: [user] }, teamId: { not: team } }, cursor: { id: user } })
  await prisma.user.create({ data: { id: user, name: 'Ada', teamId: team } })
  await prisma.user.update({ where: { id: user }, data: { teamId: { set: team } } })
  await prisma.team.update({ where: { id: team }, data: { users: { connect: { id: user } } } })
  const found = await prisma.user.findUnique({ where: { id: user }, include: { team: true } })
  found?.team?.id satisfies TeamId | undefined
  return found?.id
}
