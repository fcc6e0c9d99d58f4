import { Prisma } from '@prisma/client/extension'
import type { IdType } from 'typed-id'
import { TeamId, UserId } from './ids.ts'

/** By the names of the models. In the schema an id is `id String @id @default(uuid(7))`, so that it may be left out. */
const TYPES: Record<string, IdType<string>> = { User: UserId, Team: TeamId }

/** `new PrismaClient(…).$extends(typedIds)`: each record gets an id of its own type, and is read with it. */
export const typedIds = Prisma.defineExtension({
  name: 'typed-id',
  query: {
    $allModels: {
      create: ({ model, args, query }: Call) => query({ ...args, data: withIds(model, args.data) }),
      createMany: ({ model, args, query }: Call) => query({ ...args, data: withIds(model, args.data) }),
      createManyAndReturn: ({ model, args, query }: Call) =>
        query({ ...args, data: withIds(model, args.data) }),
      upsert: ({ model, args, query }: Call) => query({ ...args, create: withIds(model, args.create) }),
    },
  },
  result: {
    user: { id: { needs: { id: true }, compute: ({ id }: { id: string }) => UserId.parse(id) } },
    team: { id: { needs: { id: true }, compute: ({ id }: { id: string }) => TeamId.parse(id) } },
  },
})

interface Call {
  model: string
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the model, which an extension does not know.
  args: Record<string, any>
  query(args: object): Promise<unknown>
}

function withIds(model: string, data: object | object[]): object {
  const type = TYPES[model]
  if (!type) return data
  return Array.isArray(data) ? data.map((row) => withIds(model, row)) : { id: type.generate(), ...data }
}
