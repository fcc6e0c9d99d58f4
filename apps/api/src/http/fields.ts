import { z } from 'zod'

/*
 * Schemas for the values of columns, beside ids, in JSON and in queries. A query consists of text, so it needs schemas
 * for integers and booleans. In JSON these are `z.int()` and `z.boolean()`.
 */

/** An integer in a query. Parses integers of any length, so that one beyond 2^53 is reported as out of range, too. */
export const integerParameter = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? clamp(Number(value)) : value),
    z.int().min(min).max(max),
  )

const clamp = (value: number) => Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER))

/** `true` or `false` in a query. */
export const booleanParameter = () =>
  z.preprocess((value) => (value === 'true' ? true : value === 'false' ? false : value), z.boolean())

/**
 * A time (RFC 3339) in the years 1 to 9999, of any offset and precision. The output is in UTC with milliseconds, which
 * is the form that is stored.
 *
 * @example
 * time().parse('2026-11-23T13:00:00+01:00') // '2026-11-23T12:00:00.000Z'
 */
export const time = () =>
  z.iso
    .datetime({ offset: true })
    .transform((value) => new Date(value).toISOString())
    .refine((value) => /^(?!0000)\d{4}-/.test(value), { params: { type: 'datetime_parsing' }, error: YEARS })
    .meta({ type: 'string', format: 'date-time', example: '2026-11-23T12:00:00.000Z' })

const YEARS = 'Input should be a time in the years 1 to 9999'

interface Limits {
  /** Counted in Unicode code points, as in JSON Schema. */
  min?: number | undefined
  max?: number | undefined
}

/**
 * Text that every engine stores and returns exactly. Rejects NUL, which some databases cannot store, and unpaired
 * surrogates, which UTF-8 cannot encode. Lengths count code points: an emoji is one.
 */
export function text({ min, max }: Limits) {
  const lengths = {
    ...(min !== undefined && { minLength: min }),
    ...(max !== undefined && { maxLength: max }),
  }
  return z.string().check(storable, lengthBetween(min, max)).meta(lengths)
}

const storable = z.check<string>(({ value, issues }) => {
  if (value.includes('\0') || !value.isWellFormed()) {
    issues.push({ code: 'custom', input: value, params: { type: 'string_unicode' }, message: UNSTORABLE })
  }
})

const UNSTORABLE = 'Input should be text without NUL characters and unpaired surrogates'

function lengthBetween(min = 0, max = Number.POSITIVE_INFINITY) {
  return z.check<string>(({ value, issues }) => {
    // A code point is one or two UTF-16 units, so most strings need no counting.
    if (value.length >= 2 * min && value.length <= max) return
    let length = 0
    for (const _ of value) length += 1
    if (length > max) issues.push({ code: 'too_big', origin: 'string', maximum: max, input: value })
    if (length < min) issues.push({ code: 'too_small', origin: 'string', minimum: min, input: value })
  })
}
