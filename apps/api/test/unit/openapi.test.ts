import { readFile } from 'node:fs/promises'
import { Hono } from 'hono'
import {
  type Document,
  operationsOf,
  resolved,
  type Schema,
  schemasIn,
  validatorsOf,
} from 'testkit/document.ts'
import { idSchema } from 'typed-id/zod'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { documentFile, servedDocument } from '../../openapi/documents.ts'
import { PROFILES } from '../../src/app.ts'
import type { AppEnv } from '../../src/http/app-env.ts'
import { endpoint } from '../../src/http/endpoint.ts'
import { TeamId, UserId } from '../../src/ids.ts'
import { isEmail } from '../../src/profile-a/email-address.ts'
import { startInMemory } from '../support/http-fixture.ts'
import { listenForTest } from '../support/listen.ts'

interface Issue {
  readonly type: string
  readonly loc: readonly (string | number)[]
  readonly msg: string
}

describe.each(['a', 'b'] as const)(
  'the document of Profile %s',
  async (profile) => {
    const text = await servedDocument(profile)
    const document: Document = JSON.parse(text)
    const operations = operationsOf(document)
    const validatorOf = validatorsOf(document, { closed: true, isEmail })

    test('is the one in openapi/: `pnpm generate` writes it', async () => {
      expect(text).toBe(await readFile(documentFile(profile), 'utf8'))
    })

    test('bounds every integer of a request, because JSON itself does not', () => {
      const inputs = operations.flatMap(({ parameters, requestBody }) => {
        const body = requestBody?.content['application/json'].schema ?? {}
        return [
          ...parameters.map(({ schema }) => schema),
          ...Object.values<Schema>(resolved(document, body).properties ?? {}),
        ]
      })
      const integers = inputs.filter(({ type }) => type === 'integer')
      expect(integers.length).toBeGreaterThan(0)
      for (const integer of integers)
        expect(integer).toMatchObject({
          minimum: expect.any(Number),
          maximum: expect.any(Number),
        })
    })

    test('gives every component an example, and contains no example that its schema rejects', () => {
      const components = Object.entries(document.components.schemas)
      expect(components.length).toBeGreaterThan(6)
      for (const [name, schema] of components)
        expect(schema.example, name).toBeDefined()
      const withExample = schemasIn(document).filter(
        (schema) => schema.example !== undefined && schema.type,
      )
      expect(withExample.length).toBeGreaterThan(20)
      for (const schema of withExample)
        expect(
          validatorOf(schema)(schema.example),
          JSON.stringify(schema),
        ).toBe(true)

      const responses = operations.flatMap((operation) =>
        Object.values(operation.responses),
      )
      const examples = responses.flatMap(({ content }) => {
        const { schema, examples } = content?.['application/json'] ?? {}
        return Object.values(examples ?? {}).map(({ value }) => ({
          schema: schema ?? {},
          value,
        }))
      })
      expect(examples.length).toBeGreaterThan(5)
      for (const { schema, value } of examples)
        expect(
          validatorOf(schema)(value),
          JSON.stringify({ schema, value }),
        ).toBe(true)
    })

    test('documents every path parameter with type, pattern and an example that matches it', () => {
      const parameters = operations
        .flatMap((operation) => operation.parameters)
        .filter((p) => p.in === 'path')
      expect(parameters.length).toBeGreaterThan(3)
      for (const parameter of parameters) {
        const { name, schema } = parameter
        const [example = schema.example] = schema.examples ?? []
        expect(parameter).toMatchObject({ required: true, example })
        const prefix = schema['x-typed-id']?.prefix
        expect(schema, name).toMatchObject({
          type: 'string',
          pattern: expect.any(String),
        })
        // Skips Profile B's `{id}`, which accepts ids of any type, or the short
        // form.
        if (name.endsWith('_id'))
          expect(prefix, `${name} is declared by idSchema()`).toBeDefined()
        if (prefix) expect(schema.pattern).toMatch(new RegExp(`^\\^${prefix}-`))
        expect(example).toMatch(new RegExp(schema.pattern))
      }
    })

    test('marks every id with x-typed-id and the prefix of its pattern', () => {
      const ids = schemasIn(document).filter(({ pattern }) =>
        /^\^\w+-\[0-9a-f\]\{8\}[^|]*$/.test(pattern ?? ''),
      )
      expect(ids.length).toBeGreaterThan(5)
      for (const id of ids)
        expect(id['x-typed-id']).toEqual({
          prefix: /^\^(\w+)-/.exec(id.pattern)?.[1],
        })
      const named = schemasIn(document).flatMap(({ properties }) =>
        Object.entries(properties ?? {}),
      )
      for (const [name, schema] of named) {
        if (/(^|_)ids?$/.test(name))
          expect(ids, name).toContainEqual(
            (schema as { items?: unknown }).items ?? schema,
          )
      }
    })

    test('has no example on an optional query parameter, since Swagger UI would send it', () => {
      const parameters = operations.flatMap((operation) => operation.parameters)
      const optional = parameters.filter(
        (parameter) => parameter.in === 'query' && !parameter.required,
      )
      expect(optional.length).toBeGreaterThan(2)
      for (const parameter of optional) {
        expect(parameter, parameter.name).not.toHaveProperty('example')
        expect(parameter.schema, parameter.name).not.toHaveProperty('example')
      }
    })

    test('names the URL by which the client has called the service as its server, also behind a proxy', async () => {
      const service = await listenForTest(profile)
      const serverOf = async (headers: Record<string, string> = {}) =>
        (await service.request('/openapi.json', { headers })).json.servers
      expect(await serverOf()).toEqual([{ url: service.url }])
      const { host } = new URL(service.url)
      const forwarded = {
        'x-forwarded-proto': 'https',
        'x-forwarded-prefix': '/api/v1.2',
      }
      expect(await serverOf(forwarded)).toEqual([
        { url: `https://${host}/api/v1.2` },
      ])
      for (const [proto, url] of [
        ['HTTPS', `https://${host}`],
        ['https,http', `https://${host}`],
        ['https , http', `https://${host}`],
        ['http, https', service.url],
        ['httpsx', service.url],
      ] as const)
        expect(await serverOf({ 'x-forwarded-proto': proto }), proto).toEqual([
          { url },
        ])
      for (const prefix of [
        '"',
        '//evil.example.com',
        'a/b',
        '/a?b',
        '/.',
        '/../a',
      ])
        expect(
          await serverOf({ 'x-forwarded-prefix': prefix }),
          prefix,
        ).toEqual([{ url: service.url }])
    })

    test('links each id of a response to the operations that take it in their path', async () => {
      const linksOf = (id: string) => {
        const { responses } = operations.find(
          ({ operationId }) => operationId === id,
        ) as (typeof operations)[number]
        const [success] = Object.values(responses)
        return success?.links
      }
      const users = {
        a: ['getUser', 'updateUser', 'deleteUser', 'assignRole'],
        b: ['getUser', 'deleteUser'],
      }[profile]
      const parameters = { user_id: '$response.body#/id' }
      expect(linksOf('createUser')).toEqual(
        Object.fromEntries(
          users.map((operationId) => [
            operationId,
            { operationId, parameters },
          ]),
        ),
      )
      expect(linksOf('getTeam')).toBeUndefined()
      if (profile === 'b')
        expect(linksOf('createOrder')).toMatchObject({
          getUser: { parameters: { user_id: '$response.body#/user_id' } },
        })
    })

    test('has examples that succeed one after another in its order, on a service with demo data', async () => {
      const service = await listenForTest(profile)
      await PROFILES[profile].storeDemo(service.db)
      for (const {
        method,
        path,
        parameters,
        requestBody,
        responses,
      } of operations) {
        const ids = parameters.filter((parameter) => parameter.in === 'path')
        const target = ids.reduce(
          (filled, { name, example }) =>
            filled.replace(`{${name}}`, `${example}`),
          path,
        )
        const schema = requestBody?.content['application/json'].schema
        const body =
          schema && JSON.stringify(resolved(document, schema).example)
        const headers = { 'content-type': 'application/json' }
        const response = await service.request(target, {
          method,
          headers,
          ...(body && { body }),
        })
        expect(
          response.status,
          `${method} ${target} ${response.text}`,
        ).toBeLessThan(300)
        const location = response.headers.get('location')
        if (location)
          expect(await service.get(`/${location}`)).toMatchObject({
            status: 200,
            json: response.json,
          })
        const documented = responses[response.status]?.headers ?? {}
        expect(location !== null, `${method} ${path}`).toBe(
          'Location' in documented,
        )
      }
    })

    test('has an example of a 422 for each operation that is what an invalid request of it receives', async () => {
      const service = await listenForTest(profile)
      const details = operations.flatMap(
        ({ method, path, requestBody, responses }) => {
          const example = responses[422]?.content?.['application/json'].example
          return example
            ? [{ method, path, requestBody, detail: example.detail as Issue[] }]
            : []
        },
      )
      expect(details.length).toBeGreaterThan(5)
      expect(
        new Set(details.map(({ detail }) => JSON.stringify(detail))).size,
      ).toBeGreaterThan(4)
      const wrongId = ({ msg }: Issue) =>
        (msg.startsWith('Expected team') ? UserId : TeamId).example
      for (const { method, path, requestBody, detail } of details) {
        const invalid = detail.filter(({ type }) => type !== 'missing')
        const fieldsIn = (place: string): Record<string, string> =>
          Object.fromEntries(
            invalid
              .filter(({ loc }) => loc[0] === place)
              .map((issue) => [issue.loc[1], wrongId(issue)]),
          )
        const [inPath, query] = [
          fieldsIn('path'),
          new URLSearchParams(fieldsIn('query')),
        ]
        const target = `${path.replace(/\{(\w+)\}/g, (_, name) => inPath[name] ?? '')}?${query}`
        const headers = { 'content-type': 'application/json' }
        const init = {
          method,
          headers,
          ...(requestBody && { body: JSON.stringify(fieldsIn('body')) }),
        }
        const { status, json } = await service.request(target, init)
        expect({ status, json }).toEqual({ status: 422, json: { detail } })
      }
    })

    test('has a Link to the next page that keeps the prefix of a proxy and the documented parameters', async () => {
      const service = await listenForTest(profile)
      for (const name of ['a', 'b', 'c'])
        await service.post('/users', {
          name,
          email: `${name}@example.com`,
          password: 'secret',
        })
      const [first, second] = (await service.get('/users')).json
      const { headers } = await service.get(
        `/users?limit=1&colour=a%20b%26c&after=${first.id}`,
      )
      const [, reference = ''] =
        /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
      const next = new URL(reference, 'http://proxy/api/users?limit=1')
      expect(next.pathname).toBe('/api/users')
      // The link repeats only declared parameters: percent-encoded, others
      // would be up to three times as long.
      expect([...next.searchParams]).toEqual([
        ['limit', '1'],
        ['after', second.id],
      ])
      expect((await service.get(`/users${next.search}`)).json).toMatchObject([
        { name: 'c' },
      ])
    })
  },
)

test('unknown fields of a body that is a strict object are rejected, and documented, in an app with middleware', async () => {
  const body = z.strictObject({ name: z.string() }).meta({ id: 'StrictCreate' })
  const success = { status: 204, description: 'Stored' } as const
  const strict = new Hono<AppEnv>()
    .use((_, next) => next())
    .post(
      '/strict',
      endpoint(
        { id: 'strict', tag: 'teams', summary: 'Store', json: body, success },
        async (c) => c.body(null, 204),
      ),
    )
  const service = await startInMemory('a', {
    profile: { ...PROFILES.a, app: () => strict },
  })
  expect(await service.post('/strict', { name: 'x' })).toMatchObject({
    status: 204,
  })
  expect(await service.post('/strict', { name: 'x', extra: 1 })).toMatchObject({
    status: 422,
    json: {
      detail: [
        {
          type: 'value_error',
          loc: ['body'],
          msg: 'Unrecognized key: "extra"',
        },
      ],
    },
  })
  const { components } = (await service.get('/openapi.json')).json
  expect(components.schemas.StrictCreate).toMatchObject({
    additionalProperties: false,
  })
})

test.each([
  [
    '/teams/:id',
    'GET /teams/:id: expected param to have [id], received [team_id]',
  ],
  ['/teams', 'GET /teams: expected param to have [], received [team_id]'],
  [
    '/teams/:team_id/:user_id',
    'GET /teams/:team_id/:user_id: expected param to have [team_id,user_id], received [team_id]',
  ],
])('the path %s with another param stops the start', async (path, message) => {
  const param = z.object({ team_id: idSchema(TeamId) })
  const app = new Hono<AppEnv>().get(
    path,
    endpoint(
      {
        id: 'getTeam',
        tag: 'teams',
        summary: 'Read',
        param,
        success: { status: 204, description: 'Read' },
      },
      async (c) => c.body(null, 204),
    ),
  )
  await expect(
    startInMemory('a', { profile: { ...PROFILES.a, app: () => app } }),
  ).rejects.toThrow(message)
})

test('a route of a profile that is not an endpoint stops the start', async () => {
  const app = new Hono<AppEnv>().get('/plain', (c) => c.text('x'))
  await expect(
    startInMemory('a', { profile: { ...PROFILES.a, app: () => app } }),
  ).rejects.toThrow('GET /plain: its handler is not an endpoint()')
})
