/** What a value of a query contains: an id, JSON with ids, or ids in a way that cannot be followed. */
export interface Shape {
  /** Equal for values that are converted alike. */
  readonly key: string
  /** The column or the expression, for messages. */
  readonly place: string
  /** Undefined if the value cannot be followed. */
  readonly read?: (value: unknown) => unknown
  readonly write?: (value: unknown) => unknown
}

/** The shape of an id. */
export interface Codec extends Required<Shape> {
  readonly prefixes: readonly string[]
}

/** A column of a table or of a result. Its shape is undefined without ids. */
export interface Column {
  readonly name: string
  readonly shape?: Shape | undefined
}

/** The shape of a column that is listed with null. */
export const PLAIN: Shape = {
  key: '',
  place: '',
  write: (value) => value,
}

export const isCodec = (shape: Shape | undefined): shape is Codec =>
  !!shape && 'prefixes' in shape

export function fail(place: string): never {
  throw new TypeError(
    `idPlugin: cannot convert ${place}: list the column, or use idCodec`,
  )
}

export const expressionWith = ({ place, read }: Shape) =>
  read ? `the selected expression with ${place}` : place

export const lost = (place: string): Shape => ({ key: '?', place })

/** The shape of an expression that returns one of several values. */
export function unify(shapes: readonly (Shape | undefined)[]) {
  const [first, ...others] = shapes.filter((shape) => shape !== undefined)
  return first && others.some(({ key }) => key !== first.key)
    ? lost(expressionWith(first))
    : first
}

/**
 * Maps `teamId`, a name for the CamelCasePlugin, and `team_id`, the name in the
 * database, to the same key.
 */
export const fold = (name: string): string =>
  name.replaceAll('_', '').toLowerCase()

/** The shape of a JSON object with these columns. */
export function objectOf(columns: readonly Column[]): Shape | undefined {
  const shapes = columns.flatMap(({ shape }) => shape ?? [])
  const [first] = shapes
  if (!first) return undefined
  const unread = shapes.find(({ read }) => !read)
  if (unread) return unread
  return {
    key: `{${columns.map(({ name, shape }) => shape && `${fold(name)}:${shape.key}`)}}`,
    place: first.place,
    read: (value) =>
      readJson(value, first.place, (row) =>
        Array.isArray(row)
          ? unexpected(first.place)
          : readColumns(row as Row, findKeys(row as Row, columns)),
      ),
  }
}

/** The shape of a JSON array or of an array. */
export function listOf(item: Shape | undefined): Shape | undefined {
  const { read, place = '', key } = item ?? {}
  return (
    (read && {
      key: `[${key}]`,
      place,
      read: (value) =>
        readJson(value, place, (list) =>
          Array.isArray(list) ? list.map(read) : unexpected(place),
        ),
    }) ??
    item
  )
}

type Row = Record<string, unknown>

/** Returns the keys of a row with ids, and the functions that convert them. */
export function findKeys(
  row: Row,
  columns: readonly Column[],
  mayLack = false,
) {
  const keys = Object.keys(row)
  const found = new Map<string, Required<Shape>['read']>()
  for (const { name, shape } of columns) {
    const key =
      keys.find((one) => one === name) ??
      keys.find((one) => fold(one) === fold(name))
    if (key === undefined && shape && !mayLack)
      throw new TypeError(`idPlugin: the result has no column ${shape.place}`)
    if (key === undefined) continue
    if (shape?.read) found.set(key, shape.read)
    else found.delete(key)
  }
  return found
}

export function readColumns(row: Row, keys: ReturnType<typeof findKeys>) {
  const copy = { ...row }
  for (const [key, read] of keys) copy[key] = read(copy[key])
  return copy
}

function unexpected(place: string): never {
  throw new TypeError(`idPlugin: expected JSON with ${place}`)
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/**
 * Converts JSON, which SQLite returns as a string. Numbers keep their digits:
 * they are strings with a mark while the JSON is an object.
 */
function readJson(
  json: unknown,
  place: string,
  convert: (value: unknown) => unknown,
): unknown {
  if (json === null || json === undefined) return json
  if (typeof json !== 'string')
    return typeof json === 'object' ? convert(json) : unexpected(place)
  let mark = '#'
  while (json.includes(mark)) mark += '#'
  const marked = json.replace(TOKEN, (token) =>
    token.startsWith('"') ? token : `"${mark}${token}"`,
  )
  let value: unknown
  try {
    value = JSON.parse(marked)
  } catch {
    return unexpected(place)
  }
  if (typeof value !== 'object') return unexpected(place)
  if (value === null) return json
  return JSON.stringify(convert(value)).replace(
    new RegExp(`"${mark}([^"]+)"`, 'g'),
    '$1',
  )
}
