import { z } from 'zod'

interface Limits {
  /** In Unicode code points, as JSON Schema counts. */
  min?: number | undefined
  max?: number | undefined
}

/**
 * Text that every engine stores and returns exactly. Rejects NUL, which some databases cannot store, and unpaired
 * surrogates, which UTF-8 cannot encode. Lengths count code points: an emoji is one.
 */
export function text({ min, max }: Limits) {
  return z.string().check(storable, lengthBetween(min, max)).meta(lengths({ min, max }))
}

const lengths = ({ min, max }: Limits) => ({
  ...(min !== undefined && { minLength: min }),
  ...(max !== undefined && { maxLength: max }),
})

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
    const length = codePoints(value)
    if (length > max) issues.push({ code: 'too_big', origin: 'string', maximum: max, input: value })
    if (length < min) issues.push({ code: 'too_small', origin: 'string', minimum: min, input: value })
  })
}

function codePoints(value: string): number {
  let count = 0
  for (const _ of value) count += 1
  return count
}
