import type { IdDefinition, IdType } from 'typed-id'

/**
 * Returns a function for `beforeQuery` of TypeORM, `onQuery` of MikroORM and
 * `logQuery` of Drizzle. The function throws if a query parameter is an id,
 * because the query must contain the stored UUID or bytes instead.
 */
export function rejectIds(
  types: readonly (IdType<string> | IdDefinition<string, string>)[],
) {
  const patterns = types.map((type) =>
    'shortPattern' in type
      ? new RegExp(`${type.pattern}|${type.shortPattern}`)
      : new RegExp(type.pattern),
  )
  return (query: string, parameters: unknown): void => {
    const values = [parameters].flat(Number.POSITIVE_INFINITY)
    const id = values.find(
      (value) =>
        typeof value === 'string' && patterns.some((one) => one.test(value)),
    )
    if (id)
      throw new TypeError(
        `cannot convert ${id}: pass idCodec(…).toDatabase(id) to the query: ${query}`,
      )
  }
}
