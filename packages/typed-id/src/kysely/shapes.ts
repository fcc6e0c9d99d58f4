/** What a value in a query contains: an id, or JSON or an array with ids. */
export interface Shape {
  /** Equal for values that are converted alike. For an id, its prefix. */
  readonly key: string
  /** The name of the column or expression in error messages. */
  readonly place: string
  /** Converts a stored value. Undefined if it cannot be converted. */
  readonly read?: (value: unknown) => unknown
  /** Converts a parameter. Undefined for JSON and arrays. */
  readonly write?: (value: unknown) => unknown
}

/**
 * A column of a table or of a result. The name `…` stands for columns whose
 * names are not known.
 */
export interface Column {
  readonly name: string
  readonly shape?: Shape | undefined
}

/** The shape of a column listed with null, whose values stay unchanged. */
export const PLAIN: Shape = { key: '', place: '', write: (value) => value }

export const hasIds = (shape: Shape | undefined): shape is Shape => !!shape?.key

export const hasSameIds = (a: Column, b: Column): boolean =>
  (a.shape?.key ?? '') === (b.shape?.key ?? '')

/**
 * Returns a column that stands for all columns of unknown names. If they may
 * contain ids, `place` names them in error messages.
 */
export const others = (place?: string): Column => ({
  name: '…',
  shape: place === undefined ? undefined : { key: '?', place },
})

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

/** The shape of an expression that may change ids, such as `lower(id)`. */
export function unfollowed(
  shapes: readonly (Shape | undefined)[],
  expression = 'an expression with',
): Shape | undefined {
  const found = shapes.find(hasIds)
  return found?.read
    ? { key: '?', place: `${expression} ${found.place}` }
    : found
}

/** The shape of an expression that returns one of `shapes`, such as CASE. */
export function unify(
  shapes: readonly (Shape | undefined)[],
): Shape | undefined {
  const [first, ...more] = shapes
  const key = first?.key ?? ''
  return more.every((one) => (one?.key ?? '') === key)
    ? first
    : unfollowed(shapes)
}

/**
 * Returns whether a column of the shape `target` may store a value of the shape
 * `shape`.
 */
export function fits(
  shape: Shape | undefined,
  target: Shape | undefined,
): boolean {
  if (!hasIds(shape) || target === PLAIN) return true
  const prefixes = target?.key.split(',') ?? []
  return shape.key.split(',').every((prefix) => prefixes.includes(prefix))
}
