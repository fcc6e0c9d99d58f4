import type { Model } from './models.ts'

type Values = Readonly<Record<string, unknown>>
type Walk = (model: Model, value: Values) => Values

/** Converts the ids in the arguments of an operation, such as `createMany`. */
export const walkArgs = (model: Model, operation: string, args: Values): Values =>
  mapArguments(model, args, { ...ARGUMENTS, data: operation.startsWith('create') ? walkCreate : walkUpdate })

/** Converts the ids in records, in their related records, and in the results of `aggregate` and `groupBy`. */
export function walkResult(model: Model, result: unknown): unknown {
  return each(result, (row) =>
    mapEntries(row, (key, value) => {
      const related = model.relations.get(key)
      if (related) return walkResult(related, value)
      if (key === '_min' || key === '_max') return walkResult(model, value)
      return model.codecs.get(key)?.fromDatabase(value) ?? value
    }),
  )
}

const walkWhere: Walk = (model, where) =>
  mapEntries(where, (key, value) => {
    const codec = model.codecs.get(key)
    if (codec) return walkFilter(value, codec.toDatabase)
    const related = model.relations.get(key)
    if (related) return each(value, (filter) => walkRelationFilter(related, filter))
    // The key is AND, OR, NOT, or the name of a compound key, whose values are conditions too.
    return model.plainFields.has(key) ? value : each(value, (filter) => walkWhere(model, filter))
  })

/** Converts the ids of a filter: an id, `{ in: [id, id] }`, `{ not: { gt: id } }`. Leaves patterns unchanged. */
function walkFilter(filter: unknown, toDatabase: (id: never) => unknown): unknown {
  if (Array.isArray(filter)) return filter.map((item) => walkFilter(item, toDatabase))
  // A value that is neither a filter nor a string is null, or a reference to another field.
  if (!isPlain(filter)) return typeof filter === 'string' ? toDatabase(filter as never) : filter
  const patterns = ['contains', 'startsWith', 'endsWith', 'mode', '_count']
  return mapEntries(filter, (key, value) => (patterns.includes(key) ? value : walkFilter(value, toDatabase)))
}

function walkRelationFilter(model: Model, filter: Values): Values {
  const inner = ['is', 'isNot', 'some', 'every', 'none']
  if (!inner.some((key) => key in filter)) return walkWhere(model, filter)
  return mapEntries(filter, (_, value) => each(value, (where) => walkWhere(model, where)))
}

const walkUpdate: Walk = (model, data) =>
  mapEntries(data, (key, value) => {
    const codec = model.codecs.get(key)
    if (codec) return walkFilter(value, codec.toDatabase)
    const related = model.relations.get(key)
    return related ? each(value, (writes) => mapArguments(related, writes, NESTED)) : value
  })

/** Converts the ids of a new record, and generates its id if it has none. */
const walkCreate: Walk = (model, data) => {
  const { id, ...values } = walkUpdate(model, data)
  const created = id ?? model.generate?.()
  return created === undefined ? values : { id: created, ...values }
}

const walkCreateMany: Walk = (model, args) => mapArguments(model, args, { data: walkCreate })

/** Converts an update of a related record, which is either its data or `{ where, data }`. */
const walkNestedUpdate: Walk = (model, update) =>
  isPlain(update.data) && ('where' in update || !model.plainFields.has('data'))
    ? mapArguments(model, update, { where: walkWhere, data: walkUpdate })
    : walkUpdate(model, update)

const walkSelection: Walk = (model, selection) =>
  mapEntries(selection, (key, value) => {
    const related = model.relations.get(key)
    if (related) return each(value, (args) => mapArguments(related, args, ARGUMENTS))
    return key === '_count'
      ? each(value, (count) => mapArguments(model, count, { select: walkSelection }))
      : value
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

const CONNECT_OR_CREATE = { where: walkWhere, create: walkCreate }
const UPSERT = { where: walkWhere, create: walkCreate, update: walkUpdate }
const NESTED: Record<string, Walk> = {
  create: walkCreate,
  createMany: walkCreateMany,
  connectOrCreate: (model, args) => mapArguments(model, args, CONNECT_OR_CREATE),
  upsert: (model, args) => mapArguments(model, args, UPSERT),
  update: walkNestedUpdate,
  updateMany: walkNestedUpdate,
  connect: walkWhere,
  set: walkWhere,
  disconnect: walkWhere,
  delete: walkWhere,
  deleteMany: walkWhere,
}

const mapArguments = (model: Model, args: Values, walks: Record<string, Walk>): Values =>
  mapEntries(args, (key, value) => {
    const walk = walks[key]
    return walk ? each(value, (item) => walk(model, item)) : value
  })

/** Applies a function to a plain object, or to each plain object of an array. Leaves other values unchanged. */
function each(value: unknown, map: (item: Values) => unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => each(item, map))
  return isPlain(value) ? map(value) : value
}

const mapEntries = (values: Values, map: (key: string, value: unknown) => unknown): Values =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(key, value)]))

function isPlain(value: unknown): value is Values {
  if (typeof value !== 'object' || value === null) return false
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || Object.getPrototypeOf(prototype) === null
}
