/**
 * Returns a function that returns the related rows of one id. Both lists must be in ascending order of the ids, and the
 * function must be called in that order: one pass over both replaces a map.
 *
 * @example
 * const rolesOf = groupRows(roles, (role) => role.user_id)
 * users.map((user) => ({ ...user, roles: rolesOf(user.id) }))
 */
export function groupRows<Id extends string, Row>(rows: readonly Row[], idOf: (row: Row) => Id) {
  let next = 0
  const isBefore = (id: Id) => next < rows.length && idOf(rows[next] as Row) < id
  const isOf = (id: Id) => next < rows.length && idOf(rows[next] as Row) === id
  return (id: Id): Row[] => {
    while (isBefore(id)) next += 1
    const start = next
    while (isOf(id)) next += 1
    return rows.slice(start, next)
  }
}
