/** What a value in a query contains: an id, or JSON or an array with ids. */
export interface Shape {
  readonly place: string
  /** The prefixes of the ids. Undefined for a value without ids. */
  readonly key?: string
  readonly read?: Convert
  /** Undefined for JSON and arrays, whose ids are converted only in results. */
  readonly write?: Convert
}

type Convert = (value: unknown) => unknown

/** A column named `…` stands for all columns whose names are not known. */
export interface Column {
  readonly name: string
  readonly shape?: Shape | undefined
  readonly isOptional?: boolean
}

/** Columns by lowercase name without `_`. Columns without ids may be absent. */
export type Columns = ReadonlyMap<string, Column>

export const hasIds = (shape: Shape | undefined): shape is Shape => !!shape?.key

export const hasSameIds = (a?: Shape, b?: Shape): boolean => a?.key === b?.key

/**
 * Ignores underscores and case, because a CamelCasePlugin writes `team_id`, the
 * name in the database, as `teamId`.
 */
export const fold = (name: string): string =>
  name.replaceAll('_', '').toLowerCase()

export function fail(place: string): never {
  throw new TypeError(
    `idPlugin: cannot convert ${place}: list its columns, rewrite it, or use idCodec`,
  )
}

type Row = Record<string, unknown>
type Keys = readonly (readonly [string, Convert])[]

export function findKeys(row: Row, columns: Columns): Keys {
  const names = Object.keys(row)
  return [...columns.values()].flatMap(({ name, shape, isOptional }) => {
    if (!shape?.read) return []
    const key = names.includes(name)
      ? name
      : names.find((one) => fold(one) === fold(name))
    if (key !== undefined) return [[key, shape.read]]
    if (isOptional) return []
    throw new TypeError(`idPlugin: the result has no column ${shape.place}`)
  })
}

export function readRow(row: Row, keys: Keys): Row {
  const copy = { ...row }
  for (const [key, read] of keys) copy[key] = read(copy[key])
  return copy
}

export function objectOf(columns: Columns): Shape | undefined {
  const ids = [...columns.values()].filter(({ shape }) => hasIds(shape))
  const key = ids.map(({ name, shape }) => `${name}:${shape?.key}`)
  return shapeOfJson(`{${key}}`, ids[0]?.shape, (row: Row) =>
    readRow(row, findKeys(row, columns)),
  )
}

export const listOf = (item: Shape | undefined): Shape | undefined =>
  shapeOfJson(`[${item?.key}]`, item, (list: unknown[], read) => list.map(read))

function shapeOfJson(
  key: string,
  part: Shape | undefined,
  convert: (json: never, read: Convert) => unknown,
): Shape | undefined {
  if (!part?.read) return undefined
  const { place, read: readPart } = part
  const read = (value: unknown): unknown =>
    // SQLite drivers return JSON as a string.
    typeof value === 'string'
      ? JSON.stringify(read(parseJson(value, place)))
      : value && convert(value as never, readPart)
  return { key, place, read }
}

function parseJson(json: string, place: string): unknown {
  try {
    return JSON.parse(json, (_, value) => {
      if (typeof value !== 'number' || Math.abs(value) < 2 ** 53) return value
      throw new RangeError()
    })
  } catch {
    throw new TypeError(
      `idPlugin: expected JSON, with numbers up to 2^53, in ${place}`,
    )
  }
}
