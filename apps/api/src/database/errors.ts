/** A statement violated a constraint. Its caller decides which response the client receives. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError'
  /**
   * The name of the constraint, the same on every engine: PostgreSQL's default names such as `roles_name_key` and
   * `users_team_id_fkey`, or the name of a unique index. Undefined when the engine does not report the constraint.
   */
  readonly constraint: string | undefined

  constructor(constraint: string | undefined, cause: unknown) {
    super(`the statement violates the constraint ${constraint ?? '(name unknown)'}`, { cause })
    this.constraint = constraint
  }
}

/**
 * Returns a `catch` handler that maps a violated constraint, by its name, to a value. Every other error is rethrown.
 *
 * @example
 * await insertRole(db, role).catch(onConstraint({ roles_name_key: ERRORS.role_name_taken }))
 */
export function onConstraint<const Meanings extends Readonly<Record<string, unknown>>>(meanings: Meanings) {
  return (error: unknown): Meanings[keyof Meanings] => {
    const name = error instanceof ConstraintError ? error.constraint : undefined
    if (name === undefined || !Object.hasOwn(meanings, name)) throw error
    return meanings[name] as Meanings[keyof Meanings]
  }
}
