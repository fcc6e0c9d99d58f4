import { z } from 'zod'

/**
 * Excludes NUL and unpaired surrogates, which databases may not store exactly.
 * Lengths count code points, as in JSON Schema.
 */
export const text = ({ min = 0, max = Infinity }) =>
  z
    .string()
    .check(({ value, issues }) => {
      const issue = { origin: 'string', input: value } as const
      if (value.includes('\0') || !value.isWellFormed()) {
        const params = { type: 'string_unicode' }
        issues.push({ ...issue, code: 'custom', params, message: UNSTORABLE })
      }
      const length = [...value].length
      if (length > max) issues.push({ ...issue, code: 'too_big', maximum: max })
      if (length < min)
        issues.push({ ...issue, code: 'too_small', minimum: min })
    })
    .meta({
      pattern: '^[^\\u0000]*$',
      ...(min > 0 && { minLength: min }),
      ...(Number.isFinite(max) && { maxLength: max }),
    })

const UNSTORABLE =
  'Input should be text without NUL characters and unpaired surrogates'
