import { readFile } from 'node:fs/promises'
import { type Handler, Hono } from 'hono'
import {
  type Document,
  type Operation,
  operationsOf,
  resolved,
} from 'testkit/document.ts'
import { idSchema } from 'typed-id/zod'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { documentFile, servedDocument } from '../../openapi/documents.ts'
import { PROFILES } from '../../src/app.ts'
import { endpoint } from '../../src/http/endpoint.ts'
import { defineErrors } from '../../src/http/failures.ts'
import { TeamId } from '../../src/ids.ts'
import { startInMemory, startWithDemo } from '../support/http-fixture.ts'

describe.each(['a', 'b'] as const)(
  'the document of Profile %s',
  async (profile) => {
    const text = await servedDocument(profile)
    const document: Document = JSON.parse(text)
    const exampleOf = ({ requestBody }: Operation) =>
      requestBody &&
      resolved(document, requestBody.content['application/json'].schema).example

    test('is the one in openapi/: `pnpm generate` writes it', async () => {
      expect(text).toBe(await readFile(documentFile(profile), 'utf8'))
    })

    test('has examples that succeed on a service with demo data', async () => {
      const shared = await startWithDemo(profile)
      for (const operation of operationsOf(document)) {
        const { method, path, parameters, responses } = operation
        const service =
          method === 'DELETE' ? await startWithDemo(profile) : shared
        let target = path
        for (const { name, example } of parameters)
          target = target.replace(`{${name}}`, `${example}`)
        const body = exampleOf(operation)
        const { status, headers, text, json } = await service.request(target, {
          method,
          headers: { 'content-type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        })
        const hint = `${method} ${target} after storeDemo(), which must store a row with each example id: ${text}`
        expect(status, hint).toBeLessThan(300)
        const location = headers.get('location')
        const documented = responses[status]?.headers ?? {}
        expect(location !== null, path).toBe('Location' in documented)
        if (location)
          expect((await service.get(`/${location}`)).json).toEqual(json)
      }
    })

    test('has an example of a 422 that is what an invalid request receives', async () => {
      const { post } = await startInMemory(profile)
      expect(await post('/teams', {})).toMatchObject({
        status: 422,
        json: document.components.schemas.HTTPValidationError?.example,
      })
    })
  },
)

test.each<[forwarded: Record<string, string>, scheme: string, prefix?: string]>(
  [
    [{}, 'http'],
    [{ proto: 'https', prefix: '/api/v1.2' }, 'https', '/api/v1.2'],
    [{ proto: 'HTTPS , http' }, 'https'],
    [{ proto: 'https,http' }, 'https'],
    [{ proto: 'http, https' }, 'http'],
    [{ proto: 'httpsx' }, 'http'],
    [{ prefix: '//evil.example.com' }, 'http'],
    [{ prefix: 'a/b' }, 'http'],
    [{ prefix: '/a?b' }, 'http'],
    [{ prefix: '/../a' }, 'http'],
  ],
)(
  'the document names the URL by which the client has called the service: %j',
  async (forwarded, scheme, prefix = '') => {
    const { request } = await startInMemory('a')
    const headers = Object.entries(forwarded).map(
      ([name, value]): [string, string] => [`x-forwarded-${name}`, value],
    )
    const { json } = await request('http://api:8080/openapi.json', { headers })
    expect(json.servers).toEqual([{ url: `${scheme}://api:8080${prefix}` }])
  },
)

test.each([
  ['/plain', 'GET /plain: its handler is not an endpoint()'],
  ['/teams', 'expected param to have [], received [team_id]'],
  [
    '/teams/:team_id/:user_id',
    'expected param to have [team_id,user_id], received [team_id]',
  ],
  ['/teams/:team_id', 'two errors are named unavailable'],
])('the route %s of a profile stops the start: %s', async (path, message) => {
  const plain: Handler = (c) => c.text('x')
  const errors = defineErrors({ unavailable: { status: 404, detail: 'x' } })
  const getTeam: Handler = endpoint(
    {
      id: 'getTeam',
      tag: 'teams',
      summary: 'Read',
      param: z.object({ team_id: idSchema(TeamId) }),
      success: { status: 204, description: 'Read' },
      errors: [errors.unavailable],
    },
    async (c) => c.body(null, 204),
  )
  const app = new Hono()
    .use((_, next) => next())
    .get(path, path === '/plain' ? plain : getTeam)
  await expect(
    startInMemory('a', { profile: { ...PROFILES.a, app: () => app } }),
  ).rejects.toThrow(message)
})
