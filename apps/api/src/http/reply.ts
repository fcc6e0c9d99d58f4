import { ERRORS, type ErrorCode } from './errors.ts'
import type { ValidationIssue } from './validation.ts'

/** An answer before the headers that every answer gets. */
export interface Reply {
  readonly status: number
  /** Chunks are made one by one, as fast as the client takes them. */
  readonly body: string | Uint8Array | AsyncIterable<Uint8Array> | null
  readonly headers?: Readonly<Record<string, string>>
}

const JSON_TYPE = { 'content-type': 'application/json' }

export const json = (status: number, value: unknown): Reply => ({
  status,
  body: JSON.stringify(value),
  headers: JSON_TYPE,
})

export const empty = (status: number): Reply => ({ status, body: null })

export const problem = (code: ErrorCode, headers?: Record<string, string>): Reply => {
  const { status, detail } = ERRORS[code]
  const reply = json(status, { detail })
  return headers ? { ...reply, headers: { ...JSON_TYPE, ...headers } } : reply
}

export const invalid = (issues: ValidationIssue[]): Reply => json(422, { detail: issues })
