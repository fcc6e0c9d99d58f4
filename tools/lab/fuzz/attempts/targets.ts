import fc, { type Arbitrary } from 'fast-check'
import type { Operation } from 'testkit/document.ts'
import { MARKER, mutate } from '../../kit/texts.ts'
import { type Attempt, formatRaw } from './attempt.ts'

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

// biome-ignore format: one line per value would take 40 lines
const SEGMENTS = [
  '.', '..', '...', '%2e', '%2e%2e', '.%2e', '%2f', '..%2f..%2fetc%2fpasswd', '%5c', '\\', '%00',
  'x%00.json', '%252e%252e', '%c0%ae%c0%ae', '%c0%af', '%ff', '%', '%zz', '%u0041', '%ed%a0%80', '', ';',
  ';a=b', '~', '*', ':id', '{id}', '__proto__', 'constructor', MARKER, 'x'.repeat(8000),
  "'; DROP TABLE users; --".replaceAll(' ', '%20'), `user-${UUID}%00`, `user-${UUID}%0a`, `USER-${UUID}`,
  `team-${UUID}`, `user-${UUID.toUpperCase()}`, `user-${UUID}#x`, `user_01j0b3v1mmeedtx9cpdgkfhbch`,
  `%75ser-${UUID}`, '\xe9', '\xff',
]

// biome-ignore format: one line per value would take 40 lines
const QUERIES = [
  'limit=1e9', 'limit=', 'limit', 'limit=-1', 'limit=0', 'limit=1001', 'limit=1&limit=2', 'limit[]=1',
  'limit=1.0', 'limit=%31', 'limit=0x1', 'limit=9007199254740993', `limit=${'9'.repeat(5000)}`, 'after=',
  'after=1', 'after=null', `after=team-${UUID}`, `after=user-${UUID}`,
  `after=user-${UUID}&after=user-${UUID}`, `after=user-${UUID}%00`, 'after=user_01j0b3v1mmeedtx9cpdgkfhbch',
  'team_id=', 'team_id=null', `team_id=user-${UUID}`, `team_id=team-${UUID}&limit=1`, `team_id=${MARKER}`,
  `after=${MARKER}`, `limit=${MARKER}`, `${MARKER}=${MARKER}`, '__proto__=x', '__proto__[limit]=1', 'constructor=x',
  '%00=%00', '%ff=%ff', '%', '%zz', '&&&', '=', '===', '?', '#', 'a=b;c=d', 'a=\\', `a=${'x'.repeat(9000)}`,
  Array(900).fill('a=b').join('&'), "team_id='%20OR%201=1--", 'limit=1%0d%0aSet-Cookie:%20x=y',
]

// biome-ignore format: one line per value would take 40 lines
const WHOLE = [
  '*', '/', '//', '///users', '//evil.example/users', '/./users', '/users/..', '/users/../teams',
  '/users/.%2e/teams', '/users//', '/Users', '/USERS', '/users.json', '/users%20', '/users?', '/users#x',
  'users', '?limit=1', '#', '\\users', '/\\evil.example', '/docs/swagger-ui-dist/../../../package.json',
  '/docs/swagger-ui-dist/%2e%2e%2f%2e%2e%2fpackage.json', '/docs/swagger-ui-dist/swagger-ui.css%00',
  'http://x/users', 'http://evil.example/users', 'HTTP://X/users', 'http://user:pass@x/users',
  'http://x:99999/users', 'http://[::1/users', 'http:///users', 'http:users', 'https://x/users',
  'ftp://x/users', 'file:///etc/passwd', 'javascript:alert(1)', 'x:80', '[::1]:80', 'http://x',
  '/%68ealthz', '/healthz/', '/openapi.json/', '/openapi.json?x', `/${'a/'.repeat(4000)}`,
  `/${'%41'.repeat(4000)}`,
]

// biome-ignore format: one line per value would take 40 lines
const METHODS = [
  'GET', 'GET', 'GET', 'HEAD', 'POST', 'PATCH', 'DELETE', 'PUT', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY',
]

/** Generates complete requests without a body, with unusual methods, paths and queries. */
export function targetAttempts(operations: readonly Operation[]): Arbitrary<Attempt> {
  const segment = fc.oneof(fc.constantFrom(...SEGMENTS), mutate(fc.constant(`user-${UUID}`), anyCharacter))
  const path = fc
    .tuple(
      fc.constantFrom(...operations.map(({ path }) => path)),
      fc.array(segment, { minLength: 2, maxLength: 2 }),
    )
    .map(([path, segments]) =>
      segments.reduce((current, segment) => current.replace(/\{\w+\}/, () => segment), path),
    )
  const longer = fc.tuple(path, segment).map(([path, segment]) => `${path}/${segment}`)
  const query = fc.oneof(
    fc.constantFrom(...QUERIES),
    fc.tuple(fc.constantFrom(...QUERIES), fc.constantFrom(...QUERIES)).map((both) => both.join('&')),
  )
  const list = fc.constantFrom(
    ...operations.filter(({ operationId }) => operationId.startsWith('list')).map(({ path }) => path),
  )
  const target = fc.oneof(
    { weight: 3, arbitrary: path },
    { weight: 2, arbitrary: fc.tuple(list, query).map(([path, query]) => `${path}?${query}`) },
    { weight: 1, arbitrary: longer },
    { weight: 2, arbitrary: fc.constantFrom(...WHOLE) },
    { weight: 1, arbitrary: mutate(fc.oneof(path, fc.constantFrom(...WHOLE)), anyCharacter) },
  )
  return fc.tuple(fc.constantFrom(...METHODS), target).map(([method, target]) => ({
    kind: 'target',
    method,
    bytes: formatRaw(method, target.replace(/[\0-\x20\x7f]/g, '+'), ['X-Request-Id: attempt']),
  }))
}

/** A character of the request target. Spaces and control characters would end it; `bytes.ts` tries those. */
const anyCharacter = fc.oneof(
  fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)),
  fc.constantFrom('%00', '%2f', '%2e', '//', '/..', '?', '#', '%'),
)
