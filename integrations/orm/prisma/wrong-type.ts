import { TeamId, UserId } from '../ids.ts'
import type { PrismaClient } from './generated/sqlite-bytes/client/client.ts'
import type { connect } from './store.ts'

/** A Bytes field takes and returns bytes: the extension converts ids at run time, but its client needs casts. */
export function bytesTypes(client: PrismaClient) {
  // @ts-expect-error: an id is not bytes
  return client.user.findMany({ where: { id: { in: [UserId.example] } } })
}

export async function wrongTypes(prisma: Awaited<ReturnType<typeof connect>>) {
  // @ts-expect-error: a team is not a user
  await prisma.user.findMany({ where: { id: { in: [TeamId.example] } } })
  // @ts-expect-error: a user is not a team
  await prisma.user.create({ data: { name: 'Ada', teamId: UserId.example } })
  // @ts-expect-error: a string has to be parsed first
  await prisma.team.create({ data: { name: 'Engine', users: { create: { id: 'user-1', name: 'Ada' } } } })
  const user = await prisma.user.findFirstOrThrow({ include: { team: true } })
  // @ts-expect-error: the id of the user is not one of a team
  user.id satisfies TeamId
  // The generator does not type unique conditions. These compile, and throw at run time.
  await prisma.user.findUnique({ where: { id: TeamId.example } })
  await prisma.team.update({ where: { id: TeamId.example }, data: { users: { connect: { id: 'user-1' } } } })
}
