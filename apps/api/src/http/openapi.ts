import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { type Failure, HTTP_ERRORS } from './errors.ts'
import type { Declaration, Route } from './route.ts'
import { HTTPValidationError } from './validation.ts'

const ErrorDetail = z
  .object({ detail: z.string() })
  .meta({ id: 'ErrorDetail', example: { detail: HTTP_ERRORS.not_found.detail } })

const responseHeader = (description: string, example: string) => ({
  description,
  schema: { type: 'string' as const, example },
})

/** Headers of every response. */
const COMMON_HEADERS = {
  'X-Request-Id': responseHeader(
    'Identifies the request in the log: the id that the client sent, when it is short and safe to log, or a new UUID',
    '0190163d-8694-739b-aea5-966c26f8ad91',
  ),
  'Cache-Control': responseHeader('Responses must not be cached', 'no-store'),
  'X-Content-Type-Options': responseHeader('The content has the type of Content-Type', 'nosniff'),
}

const COMMON_HEADER_REFS = Object.fromEntries(
  Object.keys(COMMON_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

/** Headers by status, which responses with that status have in addition to the common headers. */
const STATUS_HEADERS: Readonly<Record<number, Record<string, ReturnType<typeof responseHeader>>>> = {
  [HTTP_ERRORS.unavailable.status]: {
    'Retry-After': responseHeader('Number of seconds after which to retry', '1'),
  },
  [HTTP_ERRORS.unsupported_encoding.status]: {
    'Accept-Encoding': responseHeader('The content encoding that request bodies may have', 'identity'),
  },
}

const ID_FORMAT =
  'An identifier is the name of its type, a hyphen and a UUID in lowercase, such as `user-0190163d-8694-739b-aea5-966c26f8ad91`.'

/** The description of an API for its OpenAPI document. */
export interface ApiDescription {
  readonly title: string
  readonly description: string
  /** Groups of operations, by name. */
  readonly tags: Readonly<Record<string, string>>
}

/** Returns the OpenAPI 3.1 document of an API. */
export function openApiDocument(api: ApiDescription, routes: readonly Route[]) {
  const registry = new OpenAPIRegistry()
  for (const [name, header] of Object.entries(COMMON_HEADERS)) {
    registry.registerComponent('headers', name, header)
  }
  for (const { declaration } of routes) registry.registerPath(operation(declaration))
  const document = new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: '0.1.0',
      description: `${api.description} ${ID_FORMAT}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    // The server is the folder of the document, so clients keep the path prefix of a proxy.
    servers: [{ url: '.' }],
    tags: Object.entries(api.tags).map(([name, description]) => ({ name, description })),
    security: [],
  })
  for (const path of Object.values(document.paths ?? {}))
    for (const { parameters } of Object.values(path) as Operation[]) parameters?.forEach(placeExample)
  return document
}

interface Parameter {
  readonly required: boolean
  schema: { readonly example?: unknown; readonly examples?: readonly unknown[] }
  example?: unknown
}

/** An operation of the document, as the function `operation` returns it. */
interface Operation {
  readonly parameters?: readonly Parameter[]
}

/**
 * Repeats the example of a required parameter outside of its schema, where dredd and openapi-to-postman read it.
 * Removes the example of an optional parameter: Swagger UI would send it, and a list after an invented id is empty.
 */
function placeExample(parameter: Parameter): void {
  const { example: own, examples, ...schema } = parameter.schema
  const example = own ?? examples?.[0] // id schemas have `examples`
  if (example === undefined) return
  if (parameter.required) parameter.example = example
  else parameter.schema = schema
}

/** Errors of every operation that has a body. */
const BODY_ERRORS = [HTTP_ERRORS.too_large, HTTP_ERRORS.unsupported_encoding]
/** Errors of every operation that changes something. */
const CHANGE_ERRORS = [HTTP_ERRORS.other_origin]

function operation(declaration: Declaration): RouteConfig {
  const { method, path, summary, description, params, query, body, success, errors = [] } = declaration
  return {
    method,
    path,
    operationId: declaration.id,
    tags: [declaration.tag],
    summary,
    ...(description && { description }),
    request: {
      ...(params && { params }),
      ...(query && { query }),
      ...(body && { body: { required: true, content: { 'application/json': { schema: body } } } }),
    },
    responses: {
      [success.status]: {
        description: success.description,
        headers: { ...COMMON_HEADER_REFS, ...success.headers },
        ...(success.body && { content: { 'application/json': { schema: success.body } } }),
      },
      ...errorResponses([
        ...errors,
        ...(method === 'get' ? [] : CHANGE_ERRORS),
        ...(body ? BODY_ERRORS : []),
        HTTP_ERRORS.unavailable,
      ]),
      ...(canBeInvalid(declaration) && {
        422: {
          description: 'Every invalid field of the request',
          headers: COMMON_HEADER_REFS,
          content: { 'application/json': { schema: HTTPValidationError } },
        },
      }),
    },
  }
}

/** Returns one response per status, with an example of every body that the response can have. */
function errorResponses(errors: readonly Failure[]): RouteConfig['responses'] {
  const byStatus = Map.groupBy(errors, ({ status }) => status)
  return Object.fromEntries(
    [...byStatus].map(([status, errors]) => [
      status,
      {
        description: errors.map(({ detail }) => detail).join(', or '),
        headers: { ...COMMON_HEADER_REFS, ...STATUS_HEADERS[status] },
        content: {
          'application/json': {
            schema: ErrorDetail,
            examples: Object.fromEntries(errors.map(({ code, detail }) => [code, { value: { detail } }])),
          },
        },
      },
    ]),
  )
}

/** Returns whether the endpoint can respond with 422. A path parameter that accepts any string never causes a 422. */
const canBeInvalid = ({ params, query, body }: Declaration): boolean =>
  query !== undefined || body !== undefined || Object.values(params?.shape ?? {}).some(hasRule)

const hasRule = (schema: unknown) => !(schema instanceof z.ZodString) || (schema.def.checks ?? []).length > 0
