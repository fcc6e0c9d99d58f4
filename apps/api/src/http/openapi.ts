import { OpenAPIRegistry, OpenApiGeneratorV31, type RouteConfig } from '@asteasolutions/zod-to-openapi'
import { z } from 'zod'
import type { Profile } from '../profile.ts'
import { ERRORS, type ErrorCode } from './errors.ts'
import type { Declaration, Route } from './route.ts'
import { ValidationIssue } from './validation.ts'

const ErrorDetail = z.object({ detail: z.string() }).meta({ id: 'ErrorDetail' })

const HTTPValidationError = z.object({ detail: z.array(ValidationIssue) }).meta({ id: 'HTTPValidationError' })

/** The OpenAPI 3.1 document of a profile. */
export function openApiDocument(profile: Profile, routes: readonly Route[]) {
  const registry = new OpenAPIRegistry()
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
    success,
    errors = [],
  } = declaration
  const { headers = {} } = success
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
        ...(success.body && { content: { 'application/json': { schema: success.body } } }),
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, description]) => [
            name,
            { description, schema: { type: 'string' } },
          ]),
        ),
      },
      ...errorResponses([...errors, ...(body ? (['too_large'] as const) : []), 'unavailable']),
      ...((params || query || body) && {
        422: {
          description: 'Every field of the request that is not valid',
          content: { 'application/json': { schema: HTTPValidationError } },
        },
      }),
    },
  }
}

/** One response a status, with an example for every text it can have. */
function errorResponses(codes: readonly ErrorCode[]): RouteConfig['responses'] {
  const byStatus = Map.groupBy(codes, (code) => ERRORS[code].status)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      status,
      {
        description: codes.map((code) => ERRORS[code].detail).join(', or '),
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
