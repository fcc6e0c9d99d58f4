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
  const requestId = { $ref: `#/components/headers/${REQUEST_ID}` }
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
  for (const route of routes)
    registry.registerPath(operation(route, linksOf(route, routes)))
  const generator = new OpenApiGeneratorV31(registry.definitions)
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
  return shareErrors(document)
}

/**
 * Copies the example of a required parameter from the schema to the parameter,
 * where dredd and openapi-to-postman read it. Removes examples of optional
 * parameters, because Swagger UI would send them.
 */
function parametersOf(schema: z.ZodObject): z.ZodObject {
  const shape: Record<string, z.ZodType> = {}
  for (const [name, field] of fieldsOf(schema)) {
    const meta: z.GlobalMeta = field.meta() ?? {}
    // Schemas of ids have `examples`, all others `example`.
    const [example = meta.example] = (meta.examples ?? []) as unknown[]
    shape[name] = field.isOptional()
      ? field.meta({ ...meta, example: undefined, examples: undefined })
      : field.meta({ ...meta, param: { example } })
  }
  return z.object(shape)
}

/**
 * Returns the links of a response (OpenAPI 3.1, section 4.8.20). Each link
 * leads from an id in the body to an operation with such an id in its path.
 */
function linksOf(
  { declaration: { id, success } }: DeclaredRoute,
  routes: readonly DeclaredRoute[],
) {
  const { body } = success
  const links: Record<string, object> = {}
  for (const [field, schema] of fieldsOf(
    body instanceof z.ZodObject ? body : undefined,
  ))
    for (const { declaration } of routes)
      for (const [name, param] of fieldsOf(declaration.param)) {
        const isLink =
          prefixOf(param) !== undefined && prefixOf(param) === prefixOf(schema)
        if (!isLink || declaration.id === id) continue
        const parameters = { [name]: `$response.body#/${field}` }
        links[declaration.id] = { operationId: declaration.id, parameters }
      }
  return Object.keys(links).length > 0 ? { links } : {}
}

const fieldsOf = (schema?: z.ZodObject) =>
  Object.entries<z.ZodType>(schema?.shape ?? {})

const prefixOf = (schema: z.ZodType): unknown =>
  (schema.meta()?.['x-typed-id'] as { prefix?: unknown } | undefined)?.prefix

function operation(
  { method, path, declaration }: DeclaredRoute,
  links: object,
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
        ...links,
      },
      ...Object.fromEntries(
        [...Map.groupBy(failures, ({ status }) => status)].map(
          ([status, same]) => [status, errorResponse(same)],
        ),
      ),
      ...(canBeInvalid(declaration) && {
        422: {
          description: 'Validation failed',
          headers: documented(),
          ...json(HTTPValidationError),
        },
      }),
    },
  }
}

/**
 * Returns whether a request can fail validation. Each query and body can fail,
 * because a client can repeat a parameter or send a body that is not JSON.
 */
const canBeInvalid = ({ param, query, json }: Declaration): boolean =>
  query !== undefined ||
  json !== undefined ||
  fieldsOf(param).some(([, field]) => !field.safeParse('').success)

const json = (schema: z.ZodType, examples?: object) => ({
  content: { 'application/json': { schema, ...examples } },
})

const errorResponse = (errors: readonly Failure[]) => ({
  description: errors.map(({ detail }) => detail).join(', or '),
  headers: documented(
    Object.assign({}, ...errors.map(({ headers }) => headers)),
  ),
  ...json(ErrorDetail, {
    examples: Object.fromEntries(
      errors.map(({ code, detail }) => [code, { value: { detail } }]),
    ),
  }),
})

/**
 * Moves error responses to `components`, so that each is written once. The name
 * of a response lists its errors: `TeamNotFound`, or `ValidationFailed` for
 * 422.
 *
 * @throws TypeError when two errors of an API have the same name.
 */
function shareErrors(document: OpenApiDocument): OpenApiDocument {
  const shared: Responses = {}
  const operations = Object.values(document.paths ?? {}).flatMap(
    (methods): { responses: Responses }[] => Object.values(methods),
  )
  for (const { responses } of operations)
    for (const [status, response] of Object.entries(responses)) {
      if (Number(status) < 400) continue
      const { examples } =
        ('content' in response && response.content?.['application/json']) || {}
      const codes = Object.keys(examples ?? { validation_failed: '' })
      const name = pascalCase(codes.join('_or_'))
      shared[name] ??= response
      if (JSON.stringify(shared[name]) !== JSON.stringify(response))
        throw new TypeError(`two errors are named ${codes}`)
      responses[status] = { $ref: `#/components/responses/${name}` }
    }
  const components = { ...document.components, responses: shared }
  return { ...document, components }
}

type OpenApiDocument = ReturnType<OpenApiGeneratorV31['generateDocument']>
type Responses = NonNullable<
  NonNullable<OpenApiDocument['components']>['responses']
>

const pascalCase = (name: string) =>
  name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())
