import { z } from 'zod'

const example = {
  type: 'missing',
  loc: ['body', 'name'],
  msg: 'Field required',
}

/**
 * FastAPI's 422 format without `input`, the rejected value, which can be a
 * password.
 */
const ValidationError = z
  .object({
    type: z.string(),
    loc: z.array(z.union([z.string(), z.int()])),
    msg: z.string(),
  })
  .meta({ id: 'ValidationError', example })

export type ValidationIssue = z.output<typeof ValidationError>

export const HTTPValidationError = z
  .object({ detail: z.array(ValidationError) })
  .meta({ id: 'HTTPValidationError', example: { detail: [example] } })

export type Location = 'path' | 'query' | 'body'

export function toIssues(
  location: Location,
  input: unknown,
  error: z.ZodError,
): ValidationIssue[] {
  return error.issues.map((issue) => {
    const path = issue.path as (string | number)[]
    // biome-ignore lint/suspicious/noExplicitAny: zod has found a value of any type at the path.
    const value = path.reduce((parent: any, key) => parent?.[key], input)
    const [type, msg] = describe(location, issue, value)
    return { type, loc: [location, ...path], msg }
  })
}

type Description = readonly [type: string, msg: string]

function describe(
  location: Location,
  issue: z.core.$ZodIssue,
  value: unknown,
): Description {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return ['missing', 'Field required']
      if (location === 'query' && Array.isArray(value))
        return ['value_error', `Expected one value, received ${value.length}`]
      if (location !== 'body' && TYPES[issue.expected] === NOT_AN_INTEGER)
        return INT_PARSING
      return TYPES[issue.expected] ?? ['value_error', issue.message]
    case 'too_big':
      return issue.origin === 'string'
        ? [
            'string_too_long',
            `String should have at most ${characters(issue.maximum)}`,
          ]
        : [
            'less_than_equal',
            `Input should be less than or equal to ${issue.maximum}`,
          ]
    case 'too_small':
      return issue.origin === 'string'
        ? [
            'string_too_short',
            `String should have at least ${characters(issue.minimum)}`,
          ]
        : [
            'greater_than_equal',
            `Input should be greater than or equal to ${issue.minimum}`,
          ]
    case 'invalid_format':
      return issue.format === 'email'
        ? ['value_error', 'value is not a valid email address']
        : ['string_pattern_mismatch', issue.message]
    case 'custom':
      return [String(issue.params?.type ?? 'value_error'), issue.message]
    default:
      return ['value_error', issue.message]
  }
}

const INT_PARSING: Description = [
  'int_parsing',
  'Input should be a valid integer, unable to parse string as an integer',
]

const NOT_AN_INTEGER: Description = [
  'int_type',
  'Input should be a valid integer',
]

const TYPES: Partial<Record<string, Description>> = {
  string: ['string_type', 'Input should be a valid string'],
  int: NOT_AN_INTEGER,
  number: NOT_AN_INTEGER,
  object: [
    'model_attributes_type',
    'Input should be a valid dictionary or object to extract fields from',
  ],
}

const characters = (count: number | bigint) =>
  count === 1 ? '1 character' : `${count} characters`
