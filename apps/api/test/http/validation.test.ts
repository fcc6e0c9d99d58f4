import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import {
  bodyOf201,
  newUser,
  PASSWORD,
  type Service,
  test,
} from '../support/http-fixture.ts'

const postTeam = (
  service: Service,
  body: string | Uint8Array | undefined,
  headers: Record<string, string> = {},
) =>
  service.request('/teams', {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })

const wellFormed = UserId.example
const uuid = UserId.toUuid(wellFormed)

/**
 * Path segments that are not user ids, percent-encoded. The library tests the
 * forms of ids.
 */
const notUserIds = [
  UserId.toShort(wellFormed),
  `team-${uuid}`,
  `${wellFormed}%0A`,
  `${wellFormed}%00`,
  `%20${wellFormed}`,
  `user-${uuid.slice(0, -1)}%D9%A3`, // an Arabic-Indic digit
  '%ff%fe',
  '%E0%A4%A',
  'x'.repeat(64 * 1024),
]

describe('a path parameter', () => {
  test.for(notUserIds)(
    'that is not a user id receives 422 with loc ["path","user_id"]: %.60s',
    async (value, { service }) => {
      for (const method of ['get', 'delete'] as const) {
        const { status, json } = await service[method](`/users/${value}`)
        expect(status).toBe(422)
        expect(json).toEqual({
          detail: [
            {
              type: 'string_pattern_mismatch',
              loc: ['path', 'user_id'],
              msg: expect.any(String),
            },
          ],
        })
      }
    },
  )

  test('of a team must be a team id', async ({ service }) => {
    const { status, json } = await service.get(`/teams/${UserId.example}`)
    expect(status).toBe(422)
    expect(json.detail[0].loc).toEqual(['path', 'team_id'])
  })

  test('is reported together with every other invalid one', async ({
    service,
  }) => {
    const { json } = await service.post(
      `/users/${RoleId.example}/roles/${UserId.example}`,
    )
    expect(json.detail.map((issue: { loc: unknown }) => issue.loc)).toEqual([
      ['path', 'user_id'],
      ['path', 'role_id'],
    ])
  })

  test('is reported together with invalid fields of the body', async ({
    service,
  }) => {
    const { status, json } = await service.patch('/users/x', {
      name: 7,
      team_id: UserId.example,
    })
    expect(status).toBe(422)
    expect(json.detail.map((issue: { loc: unknown }) => issue.loc)).toEqual([
      ['path', 'user_id'],
      ['body', 'name'],
      ['body', 'team_id'],
    ])
  })
})

test('a repeated query parameter receives 422, also with an encoded name; an undeclared one is ignored', async ({
  service,
}) => {
  const { status, json } = await service.get(
    `/users?limit=1&l%69mit=1&team_id=${TeamId.example}&x=1&x=2`,
  )
  expect(status).toBe(422)
  expect(json.detail).toEqual([
    {
      type: 'value_error',
      loc: ['query', 'limit'],
      msg: 'Expected one value, received 2',
    },
  ])
  expect(await service.get('/users?limit=1&x=1&x=2')).toMatchObject({
    status: 200,
  })
})

const user = { email: 'ada@example.com', name: 'Ada', password: PASSWORD }

type InvalidBody = [
  path: string,
  body: object,
  ...issues: [type: string, field: string][],
]

const invalidBodies: InvalidBody[] = [
  ['/teams', {}, ['missing', 'name']],
  ...[null, 7, ['a']].map(
    (name): InvalidBody => ['/teams', { name }, ['string_type', 'name']],
  ),
  ['/teams', { name: 'a\0b' }, ['string_unicode', 'name']],
  ['/teams', { name: 'a\ud800' }, ['string_unicode', 'name']],
  ['/roles', { name: 'a', description: 7 }, ['string_type', 'description']],
  [
    '/users',
    {},
    ['missing', 'email'],
    ['missing', 'name'],
    ['missing', 'password'],
  ],
  ['/users', { ...user, email: 'ada' }, ['value_error', 'email']],
  ['/users', { ...user, password: '' }, ['string_too_short', 'password']],
  ['/users', { ...user, password: { $ne: '' } }, ['string_type', 'password']],
  ['/users', { ...user, team_id: 7 }, ['string_type', 'team_id']],
  ...[
    '',
    'x',
    UserId.example,
    TeamId.toShort(TeamId.example),
    `${TeamId.example}\n`,
  ].map(
    (team_id): InvalidBody => [
      '/users',
      { ...user, team_id },
      ['string_pattern_mismatch', 'team_id'],
    ],
  ),
]

test('an issue says what was expected', async ({ service }) => {
  const send = async (path: string, body: unknown, type = 'application/json') =>
    (
      await service.request(path, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
        headers: { 'content-type': type },
      })
    ).json.detail.map(({ msg }: { msg: string }) => msg)
  expect(await send('/teams', '')).toEqual(['Field required'])
  expect(await send('/teams', '{')).toEqual(['JSON decode error'])
  expect(await send('/teams', '{}', 'text/plain')).toEqual([
    'Input should be sent with the content type application/json',
  ])
  expect(await send('/teams', [])).toEqual([
    'Input should be a valid dictionary or object to extract fields from',
  ])
  expect(await send('/teams', { name: 'x'.repeat(101) })).toEqual([
    'String should have at most 100 characters',
  ])
  expect(await send('/teams', { name: '\0' })).toEqual([
    'Input should be text without NUL characters and unpaired surrogates',
  ])
  const team_id = UserId.example
  const invalid = { email: 'ada', name: 7, password: '', team_id }
  expect(await send('/users', invalid)).toEqual([
    'value is not a valid email address',
    'Input should be a valid string',
    'String should have at least 1 character',
    'Expected team, received user',
  ])
})

describe('a body', () => {
  test.for(invalidBodies)(
    'receives 422 with every invalid field: POST %s %.80j',
    async ([path, body, ...issues], { service }) => {
      const detail = issues.map(([type, field]) => ({
        type,
        loc: ['body', field],
        msg: expect.any(String),
      }))
      const { status, json } = await service.post(path, body)
      expect({ status, json }).toEqual({ status: 422, json: { detail } })
      expect((await service.get(path)).json).toEqual([])
    },
  )

  test.for([
    ['is absent', undefined, 'application/json', 'missing'],
    ['is empty', '', 'application/json', 'missing'],
    ['is cut off', '{"name":', 'application/json', 'json_invalid'],
    [
      'has a trailing comma',
      '{"name":"a",}',
      'application/json',
      'json_invalid',
    ],
    [
      'has bytes that are not UTF-8',
      new Uint8Array([0x22, 0xff, 0x22]),
      'application/json',
      'json_invalid',
    ],
    ['is an array', '[]', 'application/json', 'model_attributes_type'],
    ['is a string', '"a"', 'application/json', 'model_attributes_type'],
    ['is null', 'null', 'application/json', 'model_attributes_type'],
    ['is sent as text', '{"name":"a"}', 'text/plain', 'model_attributes_type'],
    [
      'is sent as another type that contains the name of JSON',
      '{"name":"a"}',
      'text/application/json',
      'model_attributes_type',
    ],
    [
      'is sent as a form',
      'name=a',
      'application/x-www-form-urlencoded',
      'model_attributes_type',
    ],
  ] as const)(
    'that %s receives 422 with loc ["body"]',
    async ([, body, type, expected], { service }) => {
      const response = await postTeam(service, body, { 'content-type': type })
      expect(response).toMatchObject({
        status: 422,
        json: { detail: [{ type: expected, loc: ['body'] }] },
      })
    },
  )

  test.for([
    'application/json',
    'application/json; charset=utf-8',
    'application/json ;charset=utf-8',
    'Application/JSON',
    'application/merge-patch+json',
  ])('is read when sent as %s', async (type, { service }) => {
    expect(
      await postTeam(service, '{"name":"a"}', { 'content-type': type }),
    ).toMatchObject({ status: 201 })
  })

  test.for([
    'gzip',
    'deflate',
    'br',
    'zstd',
    'GZIP',
    'identity, gzip',
    'gzip, identity',
    'unknown',
  ])(
    'with Content-Encoding: %s receives 415, and the response names the encoding that is accepted',
    async (encoding, { service }) => {
      const body = gzipSync('{"name":"a"}')
      const response = await postTeam(service, body, {
        'content-encoding': encoding,
      })
      expect(response).toMatchObject({
        status: 415,
        json: { detail: 'Content-Encoding must be identity' },
      })
      expect(response.headers.get('accept-encoding')).toBe('identity')
      expect((await service.get('/teams')).json).toEqual([])
    },
  )

  test.for(['identity', 'Identity', ' identity ', ''])(
    'with Content-Encoding: "%s" is read',
    async (encoding, { service }) => {
      const response = await postTeam(service, '{"name":"a"}', {
        'content-encoding': encoding,
      })
      expect(response).toMatchObject({ status: 201 })
    },
  )

  test('may have undeclared fields, even __proto__', async ({ service }) => {
    const fields = `"__proto__":{"name":"b"},"constructor":1,"id":"${RoleId.example}"`
    const response = await postTeam(service, `{"name":"a",${fields}}`)
    expect(response.status).toBe(201)
    expect(response.json).toEqual({
      id: expect.stringMatching(/^team-/),
      name: 'a',
    })
  })

  test('of one mebibyte is accepted, and with one byte more receives 413', async ({
    service,
  }) => {
    const body = (bytes: number) =>
      `{"name":"a","pad":"${'x'.repeat(bytes - 21)}"}`
    expect(body(100)).toHaveLength(100)
    const [accepted, rejected] = [body(1024 * 1024), body(1024 * 1024 + 1)]
    for (const named of [false, true]) {
      const post = (body: string) =>
        postTeam(
          service,
          body,
          named ? { 'content-length': `${body.length}` } : {},
        )
      expect(await post(accepted)).toMatchObject({ status: 201 })
      expect(await post(rejected)).toMatchObject({
        status: 413,
        json: { detail: expect.any(String) },
      })
    }
  })
})

describe('text', () => {
  const limits = [
    { path: '/teams', field: 'name', limit: 100, body: {} },
    { path: '/roles', field: 'name', limit: 50, body: {} },
    { path: '/roles', field: 'description', limit: 200, body: {} },
    { path: '/users', field: 'name', limit: 100, body: user },
  ]

  test.for(limits)(
    'of $path $field is limited to $limit code points',
    async (rule, { service }) => {
      const { path, field, limit, body } = rule
      for (const letter of ['x', 'é', '界', '😀']) {
        const longest = letter.repeat(limit)
        const unique = {
          email: `${letter.codePointAt(0)}@example.com`,
          name: letter,
        }
        expect(
          await service.post(path, {
            ...body,
            ...unique,
            [field]: letter.repeat(limit + 1),
          }),
        ).toMatchObject({
          status: 422,
          json: { detail: [{ type: 'string_too_long', loc: ['body', field] }] },
        })
        const response = await bodyOf201(
          service.post(path, { ...body, ...unique, [field]: longest }),
        )
        expect(response[field]).toBe(longest)
      }
    },
  )

  test.for([
    '',
    ' a ',
    'é',
    'e\u0301',
    '\u202eabc',
    "'; drop table users; --",
    '\t\n\r',
    '\u2028',
    '👩‍👩‍👧',
    '\\u0000',
  ])('is returned unchanged: %j', async (name, { service }) => {
    const team = await bodyOf201(service.post('/teams', { name }))
    expect(team.name).toBe(name)
    expect((await service.get(`/teams/${team.id}`)).json.name).toBe(name)
  })

  test('of an e-mail address may have at most 255 characters', async ({
    service,
  }) => {
    const email = (length: number) => `${'x'.repeat(length - 12)}@example.com`
    expect(
      await bodyOf201(service.post('/users', newUser({ email: email(255) }))),
    ).toMatchObject({
      email: email(255),
    })
    expect(
      await service.post('/users', newUser({ email: email(256) })),
    ).toMatchObject({
      status: 422,
      json: { detail: [{ type: 'string_too_long', loc: ['body', 'email'] }] },
    })
  })
})

const PARSING =
  'Input should be a valid integer, unable to parse string as an integer'

test.for(['x', '', ' 1', '1.5', '1e2', '0x10', 'NaN', 'Infinity', '٣'])(
  'limit=%j is reported as int_parsing with the message of Pydantic',
  async (limit, { service }) => {
    const { status, json } = await service.get(
      `/users?limit=${encodeURIComponent(limit)}`,
    )
    expect(status).toBe(422)
    expect(json.detail).toEqual([
      { type: 'int_parsing', loc: ['query', 'limit'], msg: PARSING },
    ])
  },
)

test.for([
  ['1001', 'less_than_equal', 'Input should be less than or equal to 1000'],
  [
    '9'.repeat(20),
    'less_than_equal',
    'Input should be less than or equal to 1000',
  ],
  [
    '9'.repeat(400),
    'less_than_equal',
    'Input should be less than or equal to 1000',
  ],
  ['0', 'greater_than_equal', 'Input should be greater than or equal to 1'],
  ['-1', 'greater_than_equal', 'Input should be greater than or equal to 1'],
  [
    `-${'9'.repeat(400)}`,
    'greater_than_equal',
    'Input should be greater than or equal to 1',
  ],
] as const)(
  'limit=%.30s is an integer, and is reported as %s',
  async ([limit, type, msg], { service }) => {
    const { json } = await service.get(`/users?limit=${limit}`)
    expect(json.detail).toEqual([{ type, loc: ['query', 'limit'], msg }])
  },
)
