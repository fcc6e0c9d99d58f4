import { type Column, fold, hasIds, type Shape } from './shapes.ts'

type Row = Record<string, unknown>
type Keys = ReadonlyMap<string, NonNullable<Shape['read']>>

/**
 * Returns the properties of a row that contain ids, with the functions that
 * convert their values.
 */
export function findKeys(
  row: Row,
  columns: Iterable<Column>,
  mayLack = false,
): Keys {
  const keys = Object.keys(row)
  const found = new Map<string, NonNullable<Shape['read']>>()
  for (const { name, shape } of columns) {
    const key = keys.includes(name)
      ? name
      : keys.find((one) => fold(one) === fold(name))
    if (key === undefined) {
      if (hasIds(shape) && !mayLack)
        throw new TypeError(`idPlugin: the result has no column ${shape.place}`)
    } else if (shape?.read) found.set(key, shape.read)
  }
  return found
}

export function readRow(row: Row, keys: Keys): Row {
  const copy = { ...row }
  for (const [key, read] of keys) copy[key] = read(copy[key])
  return copy
}

export function objectOf(columns: readonly Column[]): Shape | undefined {
  const ids = columns.filter(({ shape }) => hasIds(shape))
  const shapes = ids.flatMap(({ shape }) => shape ?? [])
  const unread = shapes.find(({ read }) => !read)
  const place = shapes[0]?.place
  if (unread || place === undefined) return unread
  const keys = ids.map(({ name, shape }) => `${name}:${shape?.key}`)
  return shapeOfJson(`{${keys}}`, place, false, (row: Row) =>
    readRow(row, findKeys(row, columns)),
  )
}

/**
 * Returns the shape of a JSON or SQL array whose items have the shape `item`.
 */
export function listOf(item: Shape | undefined): Shape | undefined {
  if (!item?.read) return item
  const { key, place, read } = item
  return shapeOfJson(`[${key}]`, place, true, (list: unknown[]) =>
    list.map(read),
  )
}

const shapeOfJson = (
  key: string,
  place: string,
  isList: boolean,
  convert: (value: never) => unknown,
): Shape => ({
  key,
  place,
  read: (value) =>
    readJson(value, place, (json) =>
      Array.isArray(json) === isList
        ? convert(json as never)
        : unexpected(place),
    ),
})

function unexpected(place: string): never {
  throw new TypeError(`idPlugin: expected JSON with ${place}`)
}

const TOKEN = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g

/**
 * Converts the ids in JSON, which SQLite returns as a string. While it is
 * parsed, numbers are strings with a mark, because JSON.parse does not keep all
 * digits of long numbers.
 */
function readJson(
  json: unknown,
  place: string,
  convert: (value: unknown) => unknown,
): unknown {
  if (typeof json === 'object') return json && convert(json)
  if (typeof json !== 'string') return unexpected(place)
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
  if (typeof value !== 'object' || !value) return unexpected(place)
  const numbers = new RegExp(`"${mark}([^"]+)"`, 'g')
  return JSON.stringify(convert(value)).replace(numbers, '$1')
}
