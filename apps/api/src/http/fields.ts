import { z } from 'zod'

/** An integer in a query. Parses integers of any length, so that one beyond 2^53 is reported as out of range, too. */
export const integerParameter = (min: number, max: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' && /^-?\d+$/.test(value) ? clamp(Number(value)) : value),
    z.int().min(min).max(max),
  )

const clamp = (value: number) => Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER))

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
