import { readFile } from 'node:fs/promises'
import { type Handler, Hono } from 'hono'
import {
  type Document,
  type Operation,
  operationsOf,
  resolved,
  type Schema,
  schemasIn,
} from 'testkit/document.ts'
import { idSchema } from 'typed-id/zod'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { documentFile, servedDocument } from '../../openapi/documents.ts'
import { PROFILES } from '../../src/app.ts'
import { endpoint } from '../../src/http/endpoint.ts'
import { TeamId } from '../../src/ids.ts'
import { type Service, startInMemory } from '../support/http-fixture.ts'

describe.each(['a', 'b'] as const)(
  'the document of Profile %s',
  async (profile) => {
    const text = await servedDocument(profile)
    const document: Document = JSON.parse(text)
    const operations = operationsOf(document)
    const parameters = operations.flatMap((operation) => operation.parameters)
    const bodyOf = ({ requestBody }: Operation) =>
      requestBody &&
      resolved(document, requestBody.content['application/json'].schema)

    test('is the one in openapi/: `pnpm generate` writes it', async () => {
      expect(text).toBe(await readFile(documentFile(profile), 'utf8'))
    })

    test('bounds every integer of a request, because JSON itself does not', () => {
      const integers = schemasIn([parameters, operations.map(bodyOf)]).filter(
        ({ type }) => type === 'integer',
      )
      const bounds = {
        minimum: expect.any(Number),
        maximum: expect.any(Number),
      }
      expect(integers).not.toEqual([])
      expect(integers).toMatchObject(integers.map(() => bounds))
    })

    // `lint:openapi` checks that the schemas accept their examples.
    test('gives every component an example', () => {
      const components = Object.entries(document.components.schemas)
      expect(components.length).toBeGreaterThan(6)
      for (const [name, schema] of components)
        expect(schema.example, name).toBeDefined()
    })

    test('marks every id with x-typed-id and the prefix of its pattern', () => {
      const form = /^\^(\w+)-\[0-9a-f\]\{8\}[^|]*$/
      const ids = schemasIn(document).filter(({ pattern }) =>
        form.test(pattern),
      )
      for (const id of ids)
        expect(id['x-typed-id']).toEqual({ prefix: form.exec(id.pattern)?.[1] })
      const named = schemasIn(document)
        .flatMap(({ properties = {} }) => Object.entries<Schema>(properties))
        .filter(([name]) => /(^|_)ids?$/.test(name))
      expect(named.length).toBeGreaterThan(4)
      for (const [name, schema] of named)
        expect(ids, name).toContainEqual(schema.items ?? schema)
    })

    test('has no example on an optional query parameter, since Swagger UI would send it', () => {
      const optional = parameters.filter(
        (parameter) => parameter.in === 'query' && !parameter.required,
      )
      expect(optional.length).toBeGreaterThan(2)
      for (const parameter of optional)
        for (const place of [parameter, parameter.schema])
          expect(place, parameter.name).not.toHaveProperty('example')
    })

    test('links each id of a response to the operations that take it in their path', () => {
      const links = new Map(
        operations.map(({ operationId, responses }) => [
          operationId,
          Object.values(responses)[0]?.links,
        ]),
      )
      const ofUsers = operations.filter(({ path }) =>
        path.includes('{user_id}'),
      )
      expect(ofUsers.length).toBeGreaterThan(1)
      const linksTo = (field: string) => {
        const parameters = { user_id: `$response.body#/${field}` }
        return Object.fromEntries(
          ofUsers.map(({ operationId }) => [
            operationId,
            { operationId, parameters },
          ]),
        )
      }
      expect(links.get('createUser')).toEqual(linksTo('id'))
      expect(links.get('getTeam')).toBeUndefined()
      if (profile === 'b')
        expect(links.get('createOrder')).toEqual(linksTo('user_id'))
    })

    const send = (
      { request }: Service,
      { method, requestBody }: Operation,
      target: string,
      body: unknown,
    ) =>
      request(target, {
        method,
        headers: { 'content-type': 'application/json' },
        ...(requestBody && { body: JSON.stringify(body) }),
      })

    async function startWithDemo() {
      const service = await startInMemory(profile)
      await PROFILES[profile].storeDemo(service.db)
      return service
    }

    test('has examples that succeed in any order on a service with demo data, each DELETE on a new one', async () => {
      const shared = await startWithDemo()
      for (const operation of operations) {
        const { method, path, parameters, responses } = operation
        const service = method === 'DELETE' ? await startWithDemo() : shared
        const target = parameters.reduce(
          (filled, { name, example }) =>
            filled.replace(`{${name}}`, `${example}`),
          path,
        )
        const { example } = bodyOf(operation) ?? {}
        const response = await send(service, operation, target, example)
        const { status, headers, text, json } = response
        expect(
          status,
          `${method} ${target} after storeDemo(), which must store a row with each example id: ${text}`,
        ).toBeLessThan(300)
        const location = headers.get('location')
        if (location)
          expect(await service.get(`/${location}`)).toMatchObject({
            status: 200,
            json,
          })
        expect(location !== null, path).toBe(
          'Location' in (responses[status]?.headers ?? {}),
        )
      }
    })

    test('has an example of a 422 that is what an invalid request receives, and describes each error once', async () => {
      const { schemas, responses } = document.components
      const service = await startInMemory(profile)
      const { status, json } = await service.post('/teams', {})
      expect(status).toBe(422)
      expect(json).toEqual(schemas.HTTPValidationError?.example)
      const all = Object.values(responses ?? {}).map((one) =>
        JSON.stringify(one),
      )
      expect(new Set(all).size).toBe(all.length)
      for (const methods of Object.values(document.paths))
        for (const { responses } of Object.values(methods))
          for (const [status, response] of Object.entries(responses))
            expect('$ref' in response, status).toBe(Number(status) >= 400)
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
    [{ prefix: '/.' }, 'http'],
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

test('a Link to the next page keeps the prefix of a proxy, and only the documented parameters', async () => {
  const { get, post } = await startInMemory('b')
  const ada = { name: 'Ada', email: 'ada@example.com' }
  const { id } = (await post('/users', ada)).json
  await post('/users', ada)
  // Percent-encoded, other parameters would be up to three times as long.
  const { headers } = await get('/users?limit=1&colour=a%20b%26c')
  expect(headers.get('link')).toBe(`<?limit=1&after=${id}>; rel="next"`)
})

test.each([
  ['/plain', 'GET /plain: its handler is not an endpoint()'],
  ['/teams/:id', 'expected param to have [id], received [team_id]'],
  ['/teams', 'expected param to have [], received [team_id]'],
  [
    '/teams/:team_id/:user_id',
    'expected param to have [team_id,user_id], received [team_id]',
  ],
])('the route %s of a profile stops the start: %s', async (path, message) => {
  const plain: Handler = (c) => c.text('x')
  const getTeam: Handler = endpoint(
    {
      id: 'getTeam',
      tag: 'teams',
      summary: 'Read',
      param: z.object({ team_id: idSchema(TeamId) }),
      success: { status: 204, description: 'Read' },
    },
    async (c) => c.body(null, 204),
  )
  const app = new Hono()
    .use((_, next) => next()) // middleware is not an endpoint, and may be used
    .get(path, path === '/plain' ? plain : getTeam)
  await expect(
    startInMemory('a', { profile: { ...PROFILES.a, app: () => app } }),
  ).rejects.toThrow(message)
})
