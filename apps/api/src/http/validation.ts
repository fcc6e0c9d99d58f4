import { z } from 'zod'

const example = { type: 'missing', loc: ['body', 'name'], msg: 'Field required' }

/** One invalid field in a 422, in FastAPI's format. It never contains the rejected input, which can be a password. */
export const ValidationIssue = z
  .object({ type: z.string(), loc: z.array(z.union([z.string(), z.int()])), msg: z.string() })
  .meta({ id: 'ValidationError', example })

/** The body of a 422. */
export const HTTPValidationError = z
  .object({ detail: z.array(ValidationIssue) })
  .meta({ id: 'HTTPValidationError', example: { detail: [example] } })

export type ValidationIssue = z.infer<typeof ValidationIssue>

export type Location = 'path' | 'query' | 'body'

/** Returns one issue per invalid field, with Pydantic's type and message where Pydantic has one. */
export function toIssues(location: Location, input: unknown, error: z.ZodError): ValidationIssue[] {
  return error.issues.map((issue) => {
    const { type, msg } = describe(location, issue, valueAt(input, issue.path))
    return { type, loc: [location, ...(issue.path as (string | number)[])], msg }
  })
}

/** Returns one issue for each declared query parameter that is repeated, because only its first value would count. */
export function repeatedQuery(
  declared: object,
  values: Readonly<Record<string, readonly string[]>>,
): ValidationIssue[] {
  return Object.keys(declared).flatMap((name) => {
    const { length } = values[name] ?? []
    if (length < 2) return []
    return [{ type: 'value_error', loc: ['query', name], msg: `Expected one value, received ${length}` }]
  })
}

/** Returns the distinct locations of issues. They consist of declared names and of positions. */
export const loggableLocs = (issues: readonly ValidationIssue[]): ValidationIssue['loc'][] => [
  ...new Map(issues.map(({ loc }) => [loc.join('.'), loc])).values(),
]

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, key) => (value as Record<PropertyKey, unknown> | undefined)?.[key],
    input,
  )
}

type Description = Pick<ValidationIssue, 'type' | 'msg'>

function describe(location: Location, issue: z.core.$ZodIssue, value: unknown): Description {
  switch (issue.code) {
    case 'invalid_type':
      if (value === undefined) return { type: 'missing', msg: 'Field required' }
      if (location !== 'body' && isInteger(issue.expected)) return INT_PARSING
      if (location !== 'body' && issue.expected === 'boolean') return BOOL_PARSING
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
      return FORMATS[issue.format] ?? { type: 'string_pattern_mismatch', msg: issue.message }
    case 'custom':
      return { type: String(issue.params?.type ?? 'value_error'), msg: issue.message }
    default:
      return { type: 'value_error', msg: issue.message }
  }
}

const isInteger = (type: string) => type === 'int' || type === 'number'

/** The issue for a string in a path or a query that is not an integer. In a JSON body, such a string has the wrong type. */
const INT_PARSING: Description = {
  type: 'int_parsing',
  msg: 'Input should be a valid integer, unable to parse string as an integer',
}

const BOOL_PARSING: Description = {
  type: 'bool_parsing',
  msg: 'Input should be a valid boolean, unable to interpret input',
}

const FORMATS: Partial<Record<string, Description>> = {
  email: { type: 'value_error', msg: 'value is not a valid email address' },
  datetime: { type: 'datetime_parsing', msg: 'Input should be a valid datetime' },
}

const TYPES: Partial<Record<string, Description>> = {
  string: { type: 'string_type', msg: 'Input should be a valid string' },
  int: { type: 'int_type', msg: 'Input should be a valid integer' },
  boolean: { type: 'bool_type', msg: 'Input should be a valid boolean' },
  number: { type: 'int_type', msg: 'Input should be a valid integer' },
  object: {
    type: 'model_attributes_type',
    msg: 'Input should be a valid dictionary or object to extract fields from',
  },
}

const characters = (count: number | bigint) => (count === 1 ? '1 character' : `${count} characters`)
