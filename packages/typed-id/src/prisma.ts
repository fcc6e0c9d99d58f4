import type { IdStorage } from './codec.ts'
import { createModels, type DataModel, type IdFields } from './prisma/models.ts'
import { rejectIds, walkArgs, walkResult } from './prisma/walk.ts'

export type { DataModel, IdFields }

type PartOperator = 'contains' | 'startsWith' | 'endsWith' | 'search' | 'mode'

/**
 * Replaces strings and bytes by `Id` in the types of values, filters and
 * updates of a field. Prisma's references to fields, which have the property
 * `typeName`, stay the same. The generator `typed-id-prisma` writes `WithIds`
 * into the client.
 */
export type WithIds<T, Id> = T extends string | Uint8Array
  ? Id
  : T extends readonly (infer Item)[]
    ? WithIds<Item, Id>[]
    : T extends { readonly typeName: unknown }
      ? T
      : T extends object
        ? {
            [Key in keyof T]: Key extends PartOperator
              ? T[Key]
              : WithIds<T[Key], Id>
          }
        : T

/**
 * A type alias, because declaration files cannot name an interface that is not
 * exported. `model` is undefined for raw queries.
 */
type Operation = {
  readonly model?: string | undefined
  readonly operation: string
  readonly args: OfModel
  query(args: OfModel): Promise<OfModel>
}

// biome-ignore lint/suspicious/noExplicitAny: the type depends on the model.
type OfModel = any

/** `$parent` is the client to which `idExtension` was added. */
interface Client {
  readonly $parent: Client
  $extends(extension: unknown): Client
}

/**
 * A type alias, because Prisma requires an index signature, which interfaces
 * lack.
 */
type IdExtension = {
  name: string
  query: {
    $allOperations(operation: Operation): Promise<OfModel>
  }
}

/**
 * Returns a Prisma extension that generates the ids of new records, and checks
 * and converts the ids in arguments and results, also in nested reads and
 * writes. Extensions that are added later receive ids, not stored values.
 *
 * @throws TypedIdError when an argument or a stored value is not an id of the
 * type of its field. The error names the field.
 * @throws TypeError when `fields` does not fit the schema, and for a result of
 * the fluent API, such as `user.findUnique(…).team()`. With the storage `uuid`
 * or `bytes`, also for ids in raw queries, and for operators that compare a
 * part of an id, such as `startsWith`.
 * @example
 * const prisma = client.$extends(idExtension(dataModel, 'uuid', { User: { id: UserId }, Team: { id: TeamId } }))
 * await prisma.user.create({ data: { name: 'Ada' } }) // { id: 'user-0190163d-8694-739b-aea5-966c26f8ad91', … }
 */
export function idExtension(
  dataModel: DataModel,
  storage: IdStorage,
  fields: IdFields,
): IdExtension {
  const { models, isId } = createModels(dataModel, storage, fields)
  const extension = {
    name: 'typed-id',
    query: {
      async $allOperations(call: Operation) {
        const { operation, args, query } = call
        const model = models.get(call.model ?? '')
        if (!model) {
          if (storage !== 'text')
            rejectIds(isId, operation, Array.isArray(args) ? args : args.values)
          return query(args)
        }
        const result = await query(walkArgs(model, operation, args ?? {}))
        return operation === 'count'
          ? result
          : walkResult(model, result, args?.select)
      },
    },
    client: {
      /**
       * Adds `later` before this extension, because Prisma runs extensions in
       * the order in which they were added. This extension then also converts
       * the ids that `later` adds to arguments.
       */
      $extends(this: Client, later: unknown) {
        return this.$parent.$extends(later).$extends(extension)
      },
    },
  }
  return extension
}

/**
 * Returns a Prisma client with the extension, but with the type of the given
 * client. With the type of `$extends`, ids of another type would compile.
 *
 * @example
 * const prisma = extendWithIds(client, dataModel, 'uuid', { User: { id: UserId }, Team: { id: TeamId } })
 */
export function extendWithIds<
  C extends { readonly $extends: unknown; readonly $on: unknown },
>(
  client: C,
  dataModel: DataModel,
  storage: IdStorage,
  fields: IdFields,
): Omit<C, '$on'> {
  const extend = client as unknown as {
    $extends(extension: IdExtension): Omit<C, '$on'>
  }
  return extend.$extends(idExtension(dataModel, storage, fields))
}
