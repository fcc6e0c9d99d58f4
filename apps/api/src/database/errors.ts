/** A constraint refused a statement. What it means to a client is for the caller of the statement to say. */
export class ConstraintError extends Error {
  override readonly name = 'ConstraintError'
  readonly kind: ConstraintKind

  constructor(kind: ConstraintKind, cause: unknown) {
    super(`a ${kind} constraint refused the statement`, { cause })
    this.kind = kind
  }
}

export type ConstraintKind = 'unique' | 'foreign_key' | 'check' | 'not_null'

/** The database cannot answer at present (locked, full, unreachable); the same request may succeed later. */
export class UnavailableError extends Error {
  override readonly name = 'UnavailableError'
}

/**
 * Turns a refused constraint into the error a client is told, and throws everything else on.
 *
 * @example
 * await insertRole(db, role).catch(onConstraint({ unique: 'role_name_taken' }))
 */
export function onConstraint<const M extends Partial<Record<ConstraintKind, string>>>(meaning: M) {
  return (error: unknown): M[keyof M] => {
    const told = error instanceof ConstraintError ? meaning[error.kind] : undefined
    if (told === undefined) throw error
    return told as M[keyof M]
  }
}
