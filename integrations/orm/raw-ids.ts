import type { IdDefinition, IdType } from 'typed-id'

/**
 * Returns a check of the parameters of a query, for types that are stored as
 * uuid or bytes: `beforeQuery` of TypeORM, `onQuery` of MikroORM, `logQuery` of
 * Drizzle. The check throws for an id in the standard or the short form: the
 * ORM has not converted it, so it would match no row.
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
