import { z } from 'zod'

const example = { type: 'missing', loc: ['body', 'name'], msg: 'Field required' }

/** One invalid field in a 422, in the form that FastAPI gives it. The rejected input is never part of it. */
export const ValidationIssue = z
  .object({ type: z.string(), loc: z.array(z.union([z.string(), z.int()])), msg: z.string() })
  .meta({ id: 'ValidationError', example })

/** The body of a 422. */
export const HTTPValidationError = z
  .object({ detail: z.array(ValidationIssue) })
  .meta({ id: 'HTTPValidationError', example: { detail: [example] } })

export type ValidationIssue = z.infer<typeof ValidationIssue>

export type Location = 'path' | 'query' | 'body'

/** Says what is wrong with `input`, field by field, in Pydantic's words where it has some. */
export function issuesOf(location: Location, input: unknown, error: z.ZodError): ValidationIssue[] {
  return error.issues.map((issue) => {
    const { type, msg } = wording(issue, at(input, issue.path))
    return { type, loc: [location, ...(issue.path as (string | number)[])], msg }
  })
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  )
}

type Wording = Pick<ValidationIssue, 'type' | 'msg'>

function wording(issue: z.core.$ZodIssue, value: unknown): Wording {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { type: 'missing', msg: 'Field required' }
      return TYPES[issue.expected] ?? { type: 'value_error', msg: issue.message }
    case 'too_big':
      return issue.origin === 'string'
        ? { type: 'string_too_long', msg: `String should have at most ${characters(issue.maximum)}` }
        : { type: 'less_than_equal', msg: `Input should be less than or equal to ${issue.maximum}` }
    case 'too_small':
      return issue.origin === 'string'
        ? { type: 'string_too_short', msg: `String should have at least ${characters(issue.minimum)}` }
        : { type: 'greater_than_equal', msg: `Input should be greater than or equal to ${issue.minimum}` }
    case 'invalid_format':
      return issue.format === 'email'
        ? { type: 'value_error', msg: 'value is not a valid email address' }
        : { type: 'string_pattern_mismatch', msg: issue.message }
    case 'custom':
      return { type: String(issue.params?.type ?? 'value_error'), msg: issue.message }
    default:
      return { type: 'value_error', msg: issue.message }
  }
}

const TYPES: Partial<Record<string, Wording>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  number: { type: 'int_type', msg: 'Input should be a valid integer' },
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
}

const characters = (count: number | bigint) => (count === 1 ? '1 character' : `${count} characters`)
