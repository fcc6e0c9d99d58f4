import { type IdCodec, type IdStorage, idCodec } from '../codec.ts'
import type { IdType } from '../core/types.ts'

/** A model of the Prisma schema: its id fields and its relations. */
export interface Model {
  readonly codecs: ReadonlyMap<string, IdCodec<string, IdStorage>>
  readonly relations: ReadonlyMap<string, Model>
  /** The names of the fields that are neither ids nor relations. */
  readonly plainFields: ReadonlySet<string>
  /** Returns a new id as the database stores it. Undefined if the configuration has no field `id` for the model. */
  readonly generate?: (() => unknown) | undefined
}

/** The part of Prisma's data model that a client keeps at run time. */
interface RuntimeDataModel {
  readonly models: Readonly<
    Record<
      string,
      { readonly fields: readonly { readonly name: string; readonly kind: string; readonly type: string }[] }
    >
  >
}

/** Returns the models of a client by name. Their relations come from the client and not from the configuration. */
export function createModels(
  client: object,
  storage: IdStorage,
  fields: Readonly<Record<string, Readonly<Record<string, IdType<string>>>>>,
): ReadonlyMap<string, Model> {
  const schema = (client as { readonly _runtimeDataModel?: RuntimeDataModel })._runtimeDataModel?.models
  if (!schema) throw new TypeError('idExtension: expected a Prisma client of version 7')
  const models = new Map<string, Model & { relations: Map<string, Model> }>()
  for (const [name, model] of Object.entries(schema)) {
    const types = Object.entries(fields[name] ?? {})
    const codecs = new Map(types.map(([field, type]) => [field, idCodec(type, storage, `${name}.${field}`)]))
    const scalars = model.fields.filter(({ kind }) => kind !== 'object').map((field) => field.name)
    const unknown = [...codecs.keys()].find((field) => !scalars.includes(field))
    if (unknown) throw new TypeError(`idExtension: the model ${name} has no field ${unknown}`)
    const [type, codec] = [fields[name]?.id, codecs.get('id')]
    models.set(name, {
      codecs,
      relations: new Map(),
      plainFields: new Set(scalars.filter((field) => !codecs.has(field))),
      generate: type && codec && (() => codec.toDatabase(type.generate())),
    })
  }
  const missing = Object.keys(fields).find((name) => !models.has(name))
  if (missing) throw new TypeError(`idExtension: the schema has no model ${missing}`)
  for (const [name, { fields }] of Object.entries(schema))
    for (const field of fields) {
      const related = field.kind === 'object' && models.get(field.type)
      if (related) models.get(name)?.relations.set(field.name, related)
    }
  return models
}
