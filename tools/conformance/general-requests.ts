import type { Operation } from 'testkit/document.ts'
import { type CollectedRequest, extension, fails, get, status } from './request.ts'

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']

/** Returns requests that do not depend on an endpoint: undeclared methods, unknown paths, documentation and headers. */
export function generalRequests(operations: readonly Operation[]): CollectedRequest[] {
  const prefixes = new Map(
    operations.flatMap(({ parameters }) =>
      parameters
        .filter(({ in: location }) => location === 'path')
        .map(({ name, schema }) => [name, schema['x-typed-id']?.prefix ?? 'user'] as const),
    ),
  )
  const example = (path: string) => path.replace(/\{(\w+)\}/g, (_, name) => `{{${prefixes.get(name)}_id}}`)
  const paths = [...Map.groupBy(operations, ({ path }) => path)]
  const otherMethods = paths.flatMap(([path, declared]) =>
    METHODS.filter((method) => !declared.some((operation) => operation.method === method)).map((method) => ({
      name: `rejects ${method} ${path}`,
      method,
      path: example(path),
      assertions: [
        ...fails(405, 'Method Not Allowed'),
        ...declared.map(({ method }) => ['res.headers.allow', `contains ${method}`] as const),
      ],
      isExtension: true,
    })),
  )
  return [
    get('serves the documentation', '/docs', [
      status(200),
      ['res.headers["content-type"]', 'startsWith text/html'],
    ]),
    get('serves the OpenAPI document', '/openapi.json', [status(200), ['res.body.openapi', 'matches ^3']]),
    get('reports an unknown path', '/unknown', fails(404, 'Not Found')),
    ...[
      get('is alive', '/healthz', [status(200)]),
      get('is ready', '/readyz', [status(200)]),
      {
        ...get('returns the id of the request', '/users?limit=1', [
          ['res.headers["x-request-id"]', 'eq collection-{{run}}'],
        ]),
        headers: { 'x-request-id': 'collection-{{run}}' },
      },
      get('forbids caching', '/users?limit=1', [['res.headers["cache-control"]', 'eq no-store']]),
      ...paths
        .filter(([, declared]) => declared.some(({ method }) => method === 'GET'))
        .map(([path]) => ({
          ...get(`accepts HEAD ${path}`, example(path), [status(200)]),
          method: 'HEAD',
        })),
    ].map(extension),
    ...otherMethods,
  ]
}

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

/** Returns an id that no record has. */
export const unknownId = (prefix: string): string => `${prefix}-00000000-0000-7000-8000-000000000000`

/** Returns strings that are not a standard id of the type, each with the reason. */
export function invalidIds(prefix: string): readonly (readonly [reason: string, text: string])[] {
  const otherType = prefix === 'team' ? 'user' : 'team'
  return [
    ['an id of another type', `${otherType}-${UUID}`],
    ['a UUID without a type', UUID],
    ['a text', 'not-an-id'],
    ['a number', '42'],
    ['the type alone', prefix],
    ['an upper-case UUID', `${prefix}-${UUID.toUpperCase()}`],
    ['an upper-case type', `${prefix.toUpperCase()}-${UUID}`],
    ['the short form', `${prefix}_01j0b3v1mme6dtx9cpdgkfhb8h`],
    ['a UUID without hyphens', `${prefix}-${UUID.replaceAll('-', '')}`],
    ['a UUID that is too short', `${prefix}-${UUID.slice(0, -1)}`],
    ['a UUID that is too long', `${prefix}-${UUID}0`],
    ['a UUID with a wrong digit', `${prefix}-${UUID.slice(0, -1)}g`],
  ]
}
