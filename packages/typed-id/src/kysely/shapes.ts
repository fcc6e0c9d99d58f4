/** What a value in a query contains: an id, or JSON or an array with ids. */
export interface Shape {
  /** Identifies the conversion: the prefix for an id, empty without ids. */
  readonly key: string
  /** The name of the column or expression in error messages. */
  readonly place: string
  /** Converts a stored value. Undefined if the types of the ids are unknown. */
  readonly read?: (value: unknown) => unknown
  /** Converts a parameter. Undefined for JSON and arrays in results. */
  readonly write?: (value: unknown) => unknown
}

/**
 * A column of a table or of a result. The name `…` stands for all columns whose
 * names are not known.
 */
export interface Column {
  readonly name: string
  readonly shape?: Shape | undefined
}

/** Columns by `fold(name)`, at least those that contain ids. */
export type Columns = ReadonlyMap<string, Column>

/** For a column with null in `IdColumns`: its values stay unchanged. */
export const PLAIN: Shape = { key: '', place: '', write: (value) => value }

export const hasIds = (shape: Shape | undefined): shape is Shape => !!shape?.key

export const hasSameIds = (a?: Shape, b?: Shape): boolean =>
  (a?.key ?? '') === (b?.key ?? '')

/**
 * Returns the same string for `team_id`, the name in the database, and
 * `teamId`, the name that a CamelCasePlugin uses.
 */
export const fold = (name: string): string =>
  name.replaceAll('_', '').toLowerCase()

export function fail(place: string): never {
  throw new TypeError(
    `idPlugin: cannot convert ${place}: list the column, or use idCodec`,
  )
}

type Row = Record<string, unknown>
type Keys = readonly (readonly [string, NonNullable<Shape['read']>])[]

/**
 * Returns the properties of a row that contain ids, with the functions that
 * convert their values.
 */
export function findKeys(row: Row, columns: Columns, mayLack = false): Keys {
  const names = Object.keys(row)
  return [...columns.values()].flatMap(({ name, shape }) => {
    if (!shape?.read) return []
    const key = names.includes(name)
      ? name
      : names.find((one) => fold(one) === fold(name))
    if (key !== undefined) return [[key, shape.read]]
    if (mayLack) return []
    throw new TypeError(`idPlugin: the result has no column ${shape.place}`)
  })
}

export function readRow(row: Row, keys: Keys): Row {
  const copy = { ...row }
  for (const [key, read] of keys) copy[key] = read(copy[key])
  return copy
}

/** Returns the shape of a JSON object with these columns. */
export function objectOf(columns: Columns): Shape | undefined {
  const ids = [...columns.values()].filter(({ shape }) => hasIds(shape))
  const shape = ids.find(({ shape }) => !shape?.read)?.shape ?? ids[0]?.shape
  if (!shape?.read) return shape
  const key = ids.map((one) => `${one.name}:${one.shape?.key}`)
  return shapeOfJson(`{${key}}`, shape.place, (row: Row) =>
    readRow(row, findKeys(row, columns)),
  )
}

/** Returns the shape of a JSON or SQL array with items of the shape `item`. */
export function listOf(item: Shape | undefined): Shape | undefined {
  if (!item?.read) return item
  const { key, place, read } = item
  return shapeOfJson(`[${key}]`, place, (list: unknown[]) => list.map(read))
}

function shapeOfJson(
  key: string,
  place: string,
  convert: (json: never) => unknown,
): Shape {
  const read = (value: unknown): unknown => {
    // SQLite returns JSON as a string.
    if (typeof value === 'string') return JSON.stringify(read(parseJson(value)))
    if (typeof value === 'object') return value && convert(value as never)
    throw new TypeError(
      `idPlugin: expected JSON, with numbers up to 2^53, in ${place}`,
    )
  }
  return { key, place, read }
}

/** Returns undefined for invalid JSON, and if a number would lose digits. */
function parseJson(json: string): unknown {
  const isExact = (value: unknown) =>
    typeof value !== 'number' || Math.abs(value) < 2 ** 53
  try {
    return JSON.parse(json, (_, value) => {
      if (isExact(value)) return value
      throw new RangeError()
    })
  } catch {
    return undefined
  }
}
