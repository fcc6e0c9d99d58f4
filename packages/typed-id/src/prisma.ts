import type { IdStorage } from './codec.ts'
import type { IdType } from './core/types.ts'
import { createModels } from './prisma/models.ts'
import { walkArgs, walkResult } from './prisma/walk.ts'

/** The id fields by model: `{ User: { id: UserId, teamId: TeamId }, Team: { id: TeamId } }`. */
export type IdFields = Readonly<Record<string, Readonly<Record<string, IdType<string>>>>>

/** An operation of Prisma, as its query extensions receive it. */
interface Operation {
  readonly model: string
  readonly operation: string
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the model.
  readonly args: any
  // biome-ignore lint/suspicious/noExplicitAny: the type depends on the model.
  query(args: any): Promise<any>
}

/** The argument of `$extends`. A type and not an interface, because Prisma requires an index signature. */
type IdExtension = {
  name: string
  query: {
    $allModels: {
      // biome-ignore lint/suspicious/noExplicitAny: the type depends on the model.
      $allOperations(operation: Operation): Promise<any>
    }
  }
}

/**
 * Returns a Prisma extension that generates the field `id` of each new record, converts the ids in arguments to what the
 * database stores, and converts and checks the ids in results. It includes nested reads and writes of any depth.
 *
 * It does not convert the ids of raw queries: use `idCodec` there. For the types, add `prisma-json-types-generator` to the schema.
 *
 * @throws TypedIdError when an argument or a stored value is not an id of the type of its field, with the field's name.
 * @throws TypeError when `fields` names a model or a field that does not exist.
 * @example
 * const prisma = client.$extends(idExtension(client, 'uuid', { User: { id: UserId, teamId: TeamId } }))
 * await prisma.user.create({ data: { name: 'Ada' } }) // { id: 'user-0190163d-8694-739b-aea5-966c26f8ad91', … }
 */
export function idExtension(client: object, storage: IdStorage, fields: IdFields): IdExtension {
  const models = createModels(client, storage, fields)
  return {
    name: 'typed-id',
    query: {
      $allModels: {
        async $allOperations({ model, operation, args, query }: Operation) {
          const found = models.get(model)
          return found ? walkResult(found, await query(walkArgs(found, operation, args ?? {}))) : query(args)
        },
      },
    },
  }
}
