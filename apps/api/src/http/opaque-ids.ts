import { defineId, TypedIdError } from 'typed-id'
import { type OpaqueIds, opaqueIds } from 'typed-id/opaque'
import { z } from 'zod'

/** Converts an id of the type with this prefix. */
type ConvertId = (prefix: string, id: string) => string

/** Conversions between the ids that clients see and the stored ones. */
export interface IdForms {
  /** Returns the stored id. If no record has the given id, no record has the result. */
  readonly toStored: ConvertId
  /** Returns the id that clients see. */
  readonly toClient: ConvertId
}

/** Schemas of strings that the handler itself parses as an id, in either form. */
export const unparsedIds = z.registry<{ readonly prefix: string }>()

/** Returns whether an id has a UUID of version 7, as every stored id has. */
export const isVersion7 = (id: string) => id.at(-22) === '7'

/**
 * Returns the conversions for a key ring. They exchange an id of version 7 and its opaque id, and keep all other ids. A
 * stored id in a request thus becomes an id that no record has, and a response can contain every id of its request.
 */
export function createIdForms(keys: readonly string[]): IdForms {
  const types = new Map<string, OpaqueIds<string>>()
  const idsOf = (prefix: string) => {
    const ids = types.get(prefix) ?? opaqueIds(defineId(prefix), { keys })
    types.set(prefix, ids)
    return ids
  }
  return {
    toStored(prefix, text) {
      const ids = idsOf(prefix)
      const { data: id } = ids.type.safeParseAny(text)
      return id === undefined ? text : exchange(ids, id) // the handler rejects a string that is not an id
    },
    toClient(prefix, id) {
      const ids = idsOf(prefix)
      const shown = exchange(ids, id)
      // The stored id has another version, and looks like the opaque id of a previous key.
      if (!isVersion7(id) && exchange(ids, shown) !== id)
        throw new Error(`OPAQUE_IDS: expected stored ids of version 7, received ${id}`)
      return shown
    },
  }
}

function exchange({ type, toOpaque, fromOpaque }: OpaqueIds<string>, text: string): string {
  const id = type.parse(text)
  try {
    return isVersion7(id) ? toOpaque(id) : fromOpaque(id)
  } catch (error) {
    if (error instanceof TypedIdError) return id
    throw error
  }
}

type Convert = (value: unknown) => unknown

/** Returns a function that converts every id in an output of the schema. The type of the output remains the same. */
export const idConverter = (schema: z.ZodType | undefined, convert: ConvertId) =>
  ((schema && findIds(schema, convert)) ?? ((value) => value)) as <Value>(value: Value) => Value

/**
 * Returns a function that converts the ids in an output of the schema, or undefined for a schema without ids.
 *
 * @throws Error for a schema that contains ids in a place that this function does not support.
 */
function findIds(schema: z.ZodType, convert: ConvertId): Convert | undefined {
  const { prefix } = idIn(schema)
  if (prefix !== undefined) return unlessNull((id) => convert(prefix, id as string))

  if (schema instanceof z.ZodObject) {
    const fields = Object.entries<z.ZodType>(schema.shape).flatMap(([name, field]) => {
      const convertField = findIds(field, convert)
      return convertField ? [[name, convertField] as const] : []
    })
    if (fields.length === 0) return undefined
    return unlessNull((value) => {
      const copy = { ...(value as Record<string, unknown>) }
      for (const [name, convertField] of fields) if (name in copy) copy[name] = convertField(copy[name])
      return copy
    })
  }
  if (schema instanceof z.ZodArray) {
    const convertItem = findIds(schema.element as z.ZodType, convert)
    return convertItem && unlessNull((items) => (items as unknown[]).map(convertItem))
  }
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return findIds(schema.unwrap() as z.ZodType, convert)
  if (schema instanceof z.ZodUnion) {
    const [option, ...others] = schema.options.filter((option) => !(option instanceof z.ZodNull))
    if (others.length === 0) return findIds(option as z.ZodType, convert)
  }
  if (hasId(schema, 'input') || hasId(schema, 'output'))
    throw new Error(`expected ids in objects, arrays, optional and nullable schemas, received ${schema.type}`)
  return undefined
}

/** Returns whether a schema contains an id. Every schema of an id, in any form, has an `x-brand`. */
const hasId = (schema: z.ZodType, io: 'input' | 'output') =>
  JSON.stringify(z.toJSONSchema(schema, { io, unrepresentable: 'any' })).includes('"x-brand"')

const idIn = (schema: z.ZodType) =>
  (unparsedIds.get(schema) ?? z.globalRegistry.get(schema)?.['x-typed-id'] ?? {}) as { prefix?: string }

const unlessNull =
  (convert: Convert): Convert =>
  (value) =>
    value === null || value === undefined ? value : convert(value)
