import { z } from 'zod'

/**
 * An integer in a query. Parses integers of any length, so that an integer
 * beyond 2^53 is also reported as out of range.
 */
export const integerParameter = (min: number, max: number) =>
  z.preprocess(
    (value) =>
      typeof value === 'string' && /^-?\d+$/.test(value)
        ? clamp(Number(value))
        : value,
    z.int().min(min).max(max),
  )

const clamp = (value: number) =>
  Math.max(Number.MIN_SAFE_INTEGER, Math.min(value, Number.MAX_SAFE_INTEGER))

/**
 * A string that every engine stores and returns exactly. Rejects NUL, which
 * some databases cannot store, and unpaired surrogates, which UTF-8 cannot
 * encode. Lengths count Unicode code points, as in JSON Schema: an emoji is
 * one.
 */
export const text = ({
  min = 0,
  max = Number.POSITIVE_INFINITY,
}: {
  min?: number
  max?: number
}) =>
  z
    .string()
    .check(({ value, issues }) => {
      if (value.includes('\0') || !value.isWellFormed())
        issues.push({
          code: 'custom',
          input: value,
          params: { type: 'string_unicode' },
          message: UNSTORABLE,
        })
      const length = [...value].length
      if (length > max)
        issues.push({
          code: 'too_big',
          origin: 'string',
          maximum: max,
          input: value,
        })
      if (length < min)
        issues.push({
          code: 'too_small',
          origin: 'string',
          minimum: min,
          input: value,
        })
    })
    .meta({
      pattern: '^[^\\u0000]*$',
      ...(min > 0 && { minLength: min }),
      ...(Number.isFinite(max) && { maxLength: max }),
    })

const UNSTORABLE =
  'Input should be text without NUL characters and unpaired surrogates'
