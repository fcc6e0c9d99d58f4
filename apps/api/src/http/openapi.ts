import {
  OpenAPIRegistry,
  OpenApiGeneratorV31,
  type RouteConfig,
} from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import type { Declaration } from './declaration.ts'
import { type Failure, HTTP_ERRORS } from './failures.ts'
import type { DeclaredRoute } from './routes.ts'
import { HTTPValidationError } from './validation.ts'

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

const ID_FORMAT = `An identifier is the name of its type, a hyphen and a UUID in lowercase, such as \`user-${UUID}\`.`

const ErrorDetail = z.object({ detail: z.string() }).meta({
  id: 'ErrorDetail',
  example: { detail: HTTP_ERRORS.not_found.detail },
})

interface Reference {
  readonly $ref: string
}

const REQUEST_ID = 'X-Request-Id'

const HEADERS: Readonly<Record<string, string>> = {
  [REQUEST_ID]:
    'Identifies the request in the log: the id that the client sent, when it is short and safe to log, or a new UUID',
  'Retry-After': 'Number of seconds after which to retry',
  'Accept-Encoding': 'The content encoding that request bodies may have',
  Location: 'URL of what was created, relative to the URL of the request',
  Link: 'The next page (RFC 8288), relative to the URL of the request, when `limit` is given and there are more items',
}

const header = (name: string, example: string) => ({
  description: HEADERS[name] ?? name,
  schema: { type: 'string' as const, example },
})

function documented(examples: Readonly<Record<string, string>> = {}) {
  const headers = Object.entries(examples).map(
    ([name, example]) => [name, header(name, example)] as const,
  )
  const requestId = refTo('headers', REQUEST_ID)
  return { [REQUEST_ID]: requestId, ...Object.fromEntries(headers) }
}

export interface ApiDescription {
  readonly title: string
  readonly description: string
  readonly tags: Readonly<Record<string, string>>
}

export function openApiDocument(
  api: ApiDescription,
  routes: readonly DeclaredRoute[],
  url: string,
) {
  const registry = new OpenAPIRegistry()
  registry.registerComponent('headers', REQUEST_ID, header(REQUEST_ID, UUID))
  const responses: Record<string, object> = {
    ValidationFailed: VALIDATION_FAILED,
  }
  function share(errors: readonly Failure[]): Reference {
    const codes = errors.map(({ code }) => code)
    const name = pascalCase(codes.join('_or_'))
    const response = errorResponse(errors)
    responses[name] ??= response
    if (JSON.stringify(responses[name]) !== JSON.stringify(response))
      throw new TypeError(`two errors are named ${codes}`)
    return refTo('responses', name)
  }
  for (const route of routes) registry.registerPath(operation(route, share))
  const generator = new OpenApiGeneratorV31([
    ...registry.definitions,
    { type: 'schema', schema: ErrorDetail },
    { type: 'schema', schema: HTTPValidationError },
  ])
  const document = generator.generateDocument({
    openapi: '3.1.0',
    info: {
      title: api.title,
      version: '0.1.0',
      description: `${api.description} ${ID_FORMAT}`,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url }],
    tags: Object.entries(api.tags).map(([name, description]) => ({
      name,
      description,
    })),
    security: [],
  })
  return { ...document, components: { ...document.components, responses } }
}

/**
 * Copies the example of a required parameter from the schema to the parameter,
 * where dredd and openapi-to-postman read the example. Removes examples of
 * optional parameters, because Swagger UI would send them.
 */
function parametersOf(schema: z.ZodObject): z.ZodObject {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of fieldsOf(schema)) {
    const meta: z.GlobalMeta = field.meta() ?? {}
    const [example = meta.example] = (meta.examples ?? []) as unknown[]
    shape[name] = field.isOptional()
      ? field.meta({ ...meta, example: undefined, examples: undefined })
      : field.meta({ ...meta, param: { example } })
  }
  return z.object(shape)
}

const fieldsOf = (schema?: z.ZodObject) =>
  Object.entries<z.ZodType>(schema?.shape ?? {})

function operation(
  { method, path, declaration }: DeclaredRoute,
  share: (errors: readonly Failure[]) => Reference,
): RouteConfig {
  const { summary, description, success, errors = [] } = declaration
  const { param: params, query, json: body } = declaration
  const failures = [
    ...errors,
    ...(method === 'get' ? [] : [HTTP_ERRORS.other_origin]),
    ...(body ? [HTTP_ERRORS.too_large, HTTP_ERRORS.unsupported_encoding] : []),
    HTTP_ERRORS.unavailable,
  ]
  return {
    method,
    path,
    operationId: declaration.id,
    tags: [declaration.tag],
    summary,
    ...(description && { description }),
    request: {
      ...(params && { params: parametersOf(params) }),
      ...(query && { query: parametersOf(query) }),
      ...(body && { body: { required: true, ...json(body) } }),
    },
    responses: {
      [success.status]: {
        description: success.description,
        headers: documented(success.headers),
        ...(success.body && json(success.body)),
      },
      ...Object.fromEntries(
        [...Map.groupBy(failures, ({ status }) => status)].map(
          ([status, same]) => [status, share(same)],
        ),
      ),
      ...(canBeInvalid(declaration) && {
        422: refTo('responses', 'ValidationFailed'),
      }),
    },
  }
}

/**
 * Any query can be invalid, by a repeated parameter. Any body can be invalid,
 * by malformed JSON.
 */
const canBeInvalid = ({ param, query, json }: Declaration): boolean =>
  query !== undefined ||
  json !== undefined ||
  fieldsOf(param).some(([, field]) => !field.safeParse('').success)

const json = (schema: z.ZodType | Reference, examples?: object) => ({
  content: { 'application/json': { schema, ...examples } },
})

const refTo = (kind: string, name: string): Reference => ({
  $ref: `#/components/${kind}/${name}`,
})

const VALIDATION_FAILED = {
  description: 'Validation failed',
  headers: documented(),
  ...json(refTo('schemas', 'HTTPValidationError')),
}

const errorResponse = (errors: readonly Failure[]) => ({
  description: errors.map(({ detail }) => detail).join(', or '),
  headers: documented(
    Object.assign({}, ...errors.map(({ headers }) => headers)),
  ),
  ...json(refTo('schemas', 'ErrorDetail'), {
    examples: Object.fromEntries(
      errors.map(({ code, detail }) => [code, { value: { detail } }]),
    ),
  }),
})

const pascalCase = (name: string) =>
  name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
