import { TypedIdError } from '../core/error.ts'
import type { IdType, TypedId } from '../core/types.ts'

/** The forms of an id that the command reads and writes. */
export const FORMS = ['standard', 'short', 'uuid', 'base62'] as const
export type Form = (typeof FORMS)[number]

/** An id that was read, with its type and the form in which it was written. */
export interface Found {
  readonly type: IdType<string>
  readonly id: TypedId<string>
  readonly form: Form
  /** What `inspect` had to assume to read the string. */
  readonly remark?: string
}

export type Reader = (text: string) => Found | TypedIdError
export type Writer = (found: Found) => string

/**
 * Returns whether ids of the type have a standard form. If the prefix contains
 * `_`, as in TypeIDs, they have none.
 */
export function hasStandardForm({
  prefix,
}: {
  readonly prefix: string
}): boolean {
  return !prefix.includes('_')
}

/**
 * Returns a TypedIdError, which means an invalid id. Rethrows any other error,
 * which is a defect.
 */
export function toTypedIdError(error: unknown): TypedIdError {
  if (error instanceof TypedIdError) return error
  throw error
}
