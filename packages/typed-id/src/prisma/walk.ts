import type { Model } from './models.ts'

type Values = Readonly<Record<string, unknown>>
type Walk = (model: Model, value: Values) => unknown

export const walkArgs = (
  model: Model,
  operation: string,
  args: Values,
): unknown => walkWrite(operation.startsWith('create'))(model, args)

export function walkResult(
  model: Model,
  result: unknown,
  select: Selection = {},
): unknown {
  return each(result, (row) => {
    for (const key of Object.keys(select))
      if (
        select[key] &&
        model.relations.has(key) &&
        typeof row[key] !== 'object'
      )
        // For `user.findUnique(…).team()`, extensions receive the team in place
        // of a user. Converting the team as a user would give wrong ids.
        throw new TypeError(
          `idExtension: cannot convert the result of ${model.name}.${key}(): write { select: { ${key}: true } } instead`,
        )
    return mapEntries(row, (key, value) => {
      const related = model.relations.get(key)
      if (related) return walkResult(related, value, select[key]?.select)
      if (key === '_min' || key === '_max') return walkResult(model, value)
      const codec = model.codecs.get(key)
      if (!codec) return value
      return Array.isArray(value)
        ? value.map((id) => codec.fromDatabase(id))
        : codec.fromDatabase(value)
    })
  })
}

type Selection = {
  readonly [key: string]: { readonly select?: Selection } | undefined
}

const walkWhere: Walk = (model, where) =>
  mapEntries(where, (key, value) => {
    if (model.codecs.has(key)) return walkFilter(model, key, value)
    const related = model.relations.get(key)
    if (related)
      return each(value, (filter) => walkRelationFilter(related, filter))
    // A key that is not a field is AND, OR, NOT, or the name of a compound key,
    // so the value consists of conditions.
    return model.scalars.has(key)
      ? value
      : each(value, (filter) => walkWhere(model, filter))
  })

function walkFilter(model: Model, field: string, filter: unknown): unknown {
  if (Array.isArray(filter))
    return filter.map((item) => walkFilter(model, field, item))
  if (isPlain(filter))
    return mapEntries(filter, (key, value) => {
      if (OPERATORS.test(key)) return walkFilter(model, field, value)
      if (model.storage === 'text' || value === undefined) return value
      throw new TypeError(
        `idExtension: cannot apply ${key} to ${model.name}.${field}, which stores ${model.storage}`,
      )
    })
  // Null, the flag of `isEmpty`, the numbers of `_count` and references to
  // other fields are not ids.
  const isValue = typeof filter === 'string' || filter instanceof Uint8Array
  return isValue ? model.codecs.get(field)?.toDatabase(filter as never) : filter
}

const OPERATORS =
  /^(equals|not|in|notIn|lte?|gte?|has|hasEvery|hasSome|isEmpty|set|push|_min|_max|_count)$/

function walkRelationFilter(model: Model, filter: Values): unknown {
  const inner = ['is', 'isNot', 'some', 'every', 'none']
  if (!inner.some((key) => key in filter)) return walkWhere(model, filter)
  return mapEntries(filter, (_, value) =>
    each(value, (where) => walkWhere(model, where)),
  )
}

const walkUpdate = (model: Model, data: Values): Values =>
  mapEntries(data, (key, value) => {
    if (model.codecs.has(key)) return walkFilter(model, key, value)
    const related = model.relations.get(key)
    return related ? mapArguments(related, value, NESTED) : value
  })

const walkCreate: Walk = (model, data) => {
  const created: Record<string, unknown> = { ...walkUpdate(model, data) }
  for (const [field, generate] of model.generators)
    if (created[field] === undefined || isPrismaSkip(created[field]))
      created[field] = generate()
  return created
}

/**
 * Converts the update of a related record, which Prisma accepts as the new data
 * or as an object `{ where, data }`.
 */
const walkNestedUpdate: Walk = (model, update) =>
  'where' in update || (isPlain(update.data) && !model.scalars.has('data'))
    ? walkWrite(false)(model, update)
    : walkUpdate(model, update)

const walkSelection: Walk = (model, selection) =>
  mapEntries(selection, (key, value) => {
    const related = model.relations.get(key)
    // The only other key with arguments is `_count`.
    return related
      ? mapArguments(related, value, ARGUMENTS)
      : mapArguments(model, value, { select: walkSelection })
  })

const ARGUMENTS: Record<string, Walk> = {
  where: walkWhere,
  cursor: walkWhere,
  having: walkWhere,
  create: walkCreate,
  update: walkUpdate,
  include: walkSelection,
  select: walkSelection,
}

const walkWrite =
  (isCreate: boolean): Walk =>
  (model, args) =>
    mapArguments(model, args, {
      ...ARGUMENTS,
      data: isCreate ? walkCreate : walkUpdate,
    })
const NESTED: Record<string, Walk> = {
  create: walkCreate,
  createMany: walkWrite(true),
  connectOrCreate: walkWrite(true),
  upsert: walkWrite(true),
  update: walkNestedUpdate,
  updateMany: walkNestedUpdate,
  connect: walkWhere,
  set: walkWhere,
  disconnect: walkWhere,
  delete: walkWhere,
  deleteMany: walkWhere,
}

const mapArguments = (
  model: Model,
  args: unknown,
  walks: Record<string, Walk>,
): unknown =>
  each(args, (one) =>
    mapEntries(one, (key, value) => {
      const walk = walks[key]
      return walk
        ? each(value, (item) => walk(model, item))
        : rejectIds(model.isId, `${model.name}.${key}`, value)
    }),
  )

/**
 * Throws for an id in a place that the extension does not convert: a raw query,
 * or an argument that a later version of Prisma adds.
 */
export function rejectIds<T>(
  isId: (value: unknown) => boolean,
  place: string,
  value: T,
): T {
  if (Array.isArray(value) || isPlain(value))
    for (const item of Object.values(value)) rejectIds(isId, place, item)
  if (!isId(value)) return value
  throw new TypeError(
    `idExtension: cannot convert ${value} in ${place}: use idCodec`,
  )
}

const isPrismaSkip = (value: unknown) =>
  typeof (value as { ifUndefined?: unknown } | null)?.ifUndefined === 'function'

function each(value: unknown, map: (item: Values) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => each(item, map))
  return isPlain(value) ? map(value) : value
}

const mapEntries = (
  values: Values,
  map: (key: string, value: unknown) => unknown,
): Values =>
  Object.fromEntries(
    Object.entries(values).map(([key, value]) => [key, map(key, value)]),
  )

function isPlain(value: unknown): value is Values {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
