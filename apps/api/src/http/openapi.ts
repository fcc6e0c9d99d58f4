import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import { ERRORS, type ErrorCode } from './errors.ts'
import type { Profile } from './profile.ts'
import { type Declaration, type Route, responseHeader } from './route.ts'
import { HTTPValidationError } from './validation.ts'

const ErrorDetail = z
  .object({ detail: z.string() })
  .meta({ id: 'ErrorDetail', example: { detail: ERRORS.not_found.detail } })

/** Headers of every response. */
const COMMON_HEADERS = {
  'X-Request-Id': responseHeader(
    'Identifies the request in the log: the id that the client sent, when it is short and safe to log, or a new UUID',
    '0190163d-8694-739b-aea5-966c26f8ad91',
  ),
  'Cache-Control': responseHeader('Responses must not be cached', 'no-store'),
}

const COMMON_HEADER_REFS = Object.fromEntries(
  Object.keys(COMMON_HEADERS).map((name) => [name, { $ref: `#/components/headers/${name}` }]),
)

const RETRY_AFTER = { 'Retry-After': responseHeader('Number of seconds after which to retry', '1') }

/** Returns the OpenAPI 3.1 document of a profile. */
export function openApiDocument(profile: Profile, routes: readonly Route[]) {
  const registry = new OpenAPIRegistry()
  for (const [name, header] of Object.entries(COMMON_HEADERS)) {
    registry.registerComponent('headers', name, header)
  }
  for (const { declaration } of routes) registry.registerPath(operation(declaration))
  return new OpenApiGeneratorV31(registry.definitions).generateDocument({
    openapi: '3.1.0',
    info: {
      title: profile.title,
      version: '0.1.0',
      description: profile.description,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(profile.tags).map(([name, description]) => ({ name, description })),
    security: [],
  })
}

function operation(declaration: Declaration): RouteConfig {
  const {
    method,
    path,
    id,
    tag,
    summary,
    description,
    params,
    query,
    body,
    validatesInHandler,
    success,
    errors = [],
  } = declaration
  return {
    method,
    path,
    operationId: id,
    tags: [tag],
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
      ...errorResponses([...errors, ...(body ? (['too_large'] as const) : []), 'unavailable']),
      ...((params || query || body) &&
        !validatesInHandler && {
          422: {
            description: 'Every invalid field of the request',
            headers: COMMON_HEADER_REFS,
            content: { 'application/json': { schema: HTTPValidationError } },
          },
        }),
    },
  }
}

/** One response per status, with an example of every text that its body can have. */
function errorResponses(codes: readonly ErrorCode[]): RouteConfig['responses'] {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => ERRORS[code].detail).join(', or '),
        headers: { ...COMMON_HEADER_REFS, ...(status === ERRORS.unavailable.status && RETRY_AFTER) },
        content: {
          'application/json': {
            schema: ErrorDetail,
            examples: Object.fromEntries(
              codes.map((code) => [code, { value: { detail: ERRORS[code].detail } }]),
            ),
          },
        },
      },
    ]),
  )
}
