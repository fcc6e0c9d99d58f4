import fc, { type Arbitrary } from 'fast-check'
import { junk, type KnownIds, loose, valid } from './arbitraries.ts'
import {
  type Document,
  type IsEmail,
  type Operation,
  resolved,
  validatorsOf,
} from './document.ts'

export interface Request {
  readonly parameters: Readonly<Record<string, unknown>>
  readonly body?: string
}

export function requestsFor(
  document: Document,
  operation: Operation,
  known: KnownIds,
): Arbitrary<Request> {
  const schema = operation.requestBody?.content['application/json'].schema
  const { parameters } = operation
  const required = parameters.filter(({ required }) => required)
  const requiredKeys = required.map(({ name }) => name)
  const parametersBy = (value: typeof valid) =>
    fc.record(
      Object.fromEntries(
        parameters.map((p) => [p.name, value(document, p.schema, known)]),
      ),
      { requiredKeys },
    )
  const good = fc.record({
    parameters: parametersBy(valid),
    ...(schema && { body: valid(document, schema, known).map(asText) }),
  })
  const other = fc.record(
    {
      parameters: parametersBy(loose),
      ...(schema && {
        body: fc.oneof(
          {
            weight: 8,
            arbitrary: loose(document, schema, known).map((value) =>
              JSON.stringify(value),
            ),
          },
          { weight: 1, arbitrary: junk(document, known).map(asText) },
        ),
      }),
    },
    { requiredKeys: ['parameters'] },
  )
  return fc.oneof(good, other)
}

/** Avoids empty segments and segments of dots, which would change the path. */
const segment = (value: unknown) =>
  /^\.{0,2}$/.test(asText(value))
    ? `x${value}`
    : encodeURIComponent(asText(value).toWellFormed())

const asText = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value)

export function asFetch(
  { path, method, parameters }: Operation,
  { parameters: values, body }: Request,
) {
  const query = new URLSearchParams()
  for (const { name, in: place } of parameters) {
    if (place === 'query' && name in values)
      query.set(name, asText(values[name]))
  }
  const url = path.replace(/\{(\w+)\}/g, (_, name) => segment(values[name]))
  return [
    `${url}${query.size > 0 ? `?${query}` : ''}`,
    {
      method,
      ...(body !== undefined && {
        body,
        headers: { 'content-type': 'application/json' },
      }),
    },
  ] as const
}

export function acceptor(document: Document, isEmail: IsEmail) {
  const validatorOf = validatorsOf(document, { closed: false, isEmail })
  return (
    { parameters, requestBody }: Operation,
    request: Request,
  ): boolean => {
    const schema = requestBody?.content['application/json'].schema
    if (schema) {
      const json = parsed(request.body)
      const names = Object.keys(resolved(document, schema).properties)
      if (!validatorOf(schema)(json)) return false
      if (!names.every((name) => isStorable(json?.[name]))) return false
    }
    return parameters.every(({ name, required, schema }) => {
      if (!(name in request.parameters)) return !required
      const text = asText(request.parameters[name])
      const isNumber = schema.type === 'integer' && /^-?\d+$/.test(text)
      return validatorOf(schema)(isNumber ? Number(text) : text)
    })
  }
}

function parsed(text = ''): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isStorable = (value: unknown) =>
  typeof value !== 'string' || (!value.includes('\0') && value.isWellFormed())
