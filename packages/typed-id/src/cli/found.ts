import type { AnyIdType } from '../core/any-id.ts'
import { TypedIdError } from '../core/error.ts'

export const FORMS = ['standard', 'short', 'uuid', 'base62'] as const
export type Form = (typeof FORMS)[number]

/** An id that was read, with its type and the form in which it was written. */
export interface Found {
  readonly type: AnyIdType
  readonly id: string
  readonly form: Form
  /** What `inspect` had to assume to read the string. */
  readonly remark?: string
}

export type Reader = (text: string) => Found | TypedIdError
export type Writer = (found: Found) => string

/**
 * Returns the error if it is a TypedIdError, which means an invalid id.
 * Otherwise rethrows it, because it is a defect.
 */
export function toTypedIdError(error: unknown): TypedIdError {
  if (error instanceof TypedIdError) return error
  throw error
}
