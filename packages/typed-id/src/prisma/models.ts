import { type IdCodec, type IdStorage, idCodec } from '../codec.ts'
import { type AnyIdType, isIdOf } from '../core/any-id.ts'

/** The models of a Prisma schema, as Prisma passes them to generators. */
export type DataModel = readonly {
  readonly name: string
  readonly fields: readonly {
    readonly name: string
    readonly kind: string
    readonly type: string
    readonly isList?: boolean
    readonly isId?: boolean
    readonly hasDefaultValue?: boolean
    readonly relationFromFields?: readonly string[]
    readonly relationToFields?: readonly string[]
  }[]
}[]

/**
 * The id fields by model: `{ User: { id: UserId }, Team: { id: TeamId } }`. The
 * types of foreign keys follow from the relations.
 */
export type IdFields = Readonly<
  Record<string, Readonly<Record<string, AnyIdType>>>
>

export interface Model {
  readonly name: string
  readonly storage: IdStorage
  isId(value: unknown): boolean
  readonly codecs: ReadonlyMap<string, IdCodec<string, IdStorage>>
  readonly relations: ReadonlyMap<string, Model>
  readonly scalars: ReadonlySet<string>
  readonly generators: ReadonlyMap<string, () => unknown>
}

export function createModels(
  dataModel: DataModel,
  storage: IdStorage,
  fields: IdFields,
) {
  const types = new Map<string, AnyIdType>()
  for (const [name, own] of Object.entries(fields))
    for (const [field, type] of Object.entries(own))
      types.set(`${name}.${field}`, type)
  const references = findReferences(dataModel)
  while (references.some((reference) => copyMissingType(types, reference)));

  const known = [...new Set(types.values())]
  const isId = (value: unknown) => known.some((type) => isIdOf(type, value))
  const unknown = new Set(types.keys())
  const models = new Map<string, Model & { relations: Map<string, Model> }>()
  for (const { name, fields } of dataModel) {
    const scalars = fields.filter(({ kind }) => kind !== 'object')
    const codecs = new Map<string, IdCodec<string, IdStorage>>()
    const generators = new Map<string, () => unknown>()
    for (const { name: field, isId, isList, hasDefaultValue } of scalars) {
      const key = `${name}.${field}`
      const type = types.get(key)
      if (!type) continue
      unknown.delete(key)
      const codec = idCodec(type, storage, key)
      codecs.set(field, codec)
      const isReference = references.some(([from]) => from === key)
      if ((isId || hasDefaultValue) && !isList && !isReference)
        generators.set(field, () => codec.toDatabase(type.generate()))
    }
    models.set(name, {
      name,
      storage,
      isId,
      codecs,
      relations: new Map(),
      scalars: new Set(scalars.map((field) => field.name)),
      generators,
    })
  }
  for (const field of unknown)
    throw new TypeError(`idExtension: the schema has no field ${field}`)
  for (const { name, fields } of dataModel)
    for (const field of fields) {
      const related = models.get(field.type)
      if (related) models.get(name)?.relations.set(field.name, related)
    }
  return { models, isId }
}

type Reference = readonly [from: string, to: string]

function findReferences(dataModel: DataModel): Reference[] {
  return dataModel.flatMap(({ name, fields }) =>
    fields.flatMap((field) => {
      if (field.kind !== 'object') return []
      const { relationFromFields: own, relationToFields: others } = field
      if (!own || !others)
        throw new TypeError(
          `idExtension: the fields of the relation ${name}.${field.name} are unknown: pass the data model that the generator typed-id-prisma writes`,
        )
      return own.map(
        (from, i): Reference => [
          `${name}.${from}`,
          `${field.type}.${others[i]}`,
        ],
      )
    }),
  )
}

function copyMissingType(
  types: Map<string, AnyIdType>,
  [from, to]: Reference,
): boolean {
  const [own, other] = [types.get(from), types.get(to)]
  if (own && other) {
    if (own.prefix === other.prefix) return false
    throw new TypeError(
      `idExtension: ${from} refers to ${to}: expected ${other.prefix}, received ${own.prefix}`,
    )
  }
  if (own) types.set(to, own)
  if (other) types.set(from, other)
  return own !== other
}
