import type {
  ExpressionBuilder,
  ExpressionWrapper,
  ExtractTypeFromStringReference,
  SqlBool,
  StringReference,
} from 'kysely'

/**
 * Returns the SET clause of a partial update: a column whose parameter is absent keeps its value, and null is stored as
 * null (RFC 7396). Without any parameter the row stays as it is, and RETURNING still reports whether it exists.
 *
 * @example
 * // p: { id: UserId; name?: string | undefined; team_id?: TeamId | null | undefined }
 * db.updateTable('users').set((eb) => setPresent(eb, { name: p.name, team_id: p.team_id }))
 * // set "name" = ?, "team_id" = ?, or only one of them, or "name" = "name"
 */
export function setPresent<DB, TB extends keyof DB, Fields extends Readonly<Record<string, unknown>>>(
  eb: ExpressionBuilder<DB, TB>,
  fields: Fields,
): Fields {
  const [first = ''] = Object.keys(fields)
  if (Object.values(fields).some((value) => value !== undefined)) return fields
  // biome-ignore lint/suspicious/noExplicitAny: Kysely cannot infer that a column of the table is a reference to it.
  return { [first]: eb.ref(first as any) } as unknown as Fields
}

/**
 * Returns the condition that every column equals its parameter, without the parameters that are absent: the optional
 * filters of a list. Each combination of filters is a statement, and needs an index.
 *
 * @example
 * // p: { team_id?: TeamId | undefined }
 * db.selectFrom('users').where((eb) => wherePresent(eb, { 'users.team_id': p.team_id }))
 */
export const wherePresent = <DB, TB extends keyof DB>(
  eb: ExpressionBuilder<DB, TB>,
  filters: {
    readonly [Column in StringReference<DB, TB>]?: ExtractTypeFromStringReference<DB, TB, Column> | undefined
  },
): ExpressionWrapper<DB, TB, SqlBool> =>
  // Kysely leaves out undefined values, though its types do not permit undefined.
  eb.and(filters as never)
