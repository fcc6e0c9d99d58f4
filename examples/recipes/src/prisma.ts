import { Prisma } from '@prisma/client/extension'
import type { IdType } from 'typed-id'
import { TeamId, UserId } from './ids.ts'

/** Id types by model. The schema declares `id String @id @default(uuid(7))`, so the type of `create` does not require it. */
const TYPES: Record<string, IdType<string>> = { User: UserId, Team: TeamId }

/** `new PrismaClient(…).$extends(typedIds)`: generates the id of each new record, and types the ids of read records. */
export const typedIds = Prisma.defineExtension({
  name: 'typed-id',
  query: {
    $allModels: {
      create: ({ model, args, query }: Call) => query({ ...args, data: addIds(model, args.data) }),
      createMany: ({ model, args, query }: Call) => query({ ...args, data: addIds(model, args.data) }),
      createManyAndReturn: ({ model, args, query }: Call) =>
        query({ ...args, data: addIds(model, args.data) }),
      upsert: ({ model, args, query }: Call) => query({ ...args, create: addIds(model, args.create) }),
    },
  },
  result: {
    user: { id: { needs: { id: true }, compute: ({ id }: { id: string }) => UserId.parse(id) } },
    team: { id: { needs: { id: true }, compute: ({ id }: { id: string }) => TeamId.parse(id) } },
  },
})

interface Call {
  model: string
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the model, which is unknown here.
  args: Record<string, any>
  query(args: object): Promise<unknown>
}

function addIds(model: string, data: object | object[]): object {
  const type = TYPES[model]
  if (!type) return data
  return Array.isArray(data) ? data.map((row) => addIds(model, row)) : { id: type.generate(), ...data }
}
