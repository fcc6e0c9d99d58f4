import { gzipSync } from 'node:zlib'
import { expect } from 'vitest'
import { z } from 'zod'
import { toIssues } from '../../src/http/validation.ts'
import { RoleId, UserId } from '../../src/ids.ts'
import {
  bodyOf201,
  newUser,
  PASSWORD,
  type Service,
  test,
} from '../support/http-fixture.ts'

const JSON_TYPE = 'application/json'

const postTeam = (
  service: Service,
  body: string | Uint8Array | null,
  headers: Record<string, string> = {},
) =>
  service.request('/teams', {
    method: 'POST',
    headers: { 'content-type': JSON_TYPE, ...headers },
    body,
  })

const invalid = (...detail: object[]) => ({ status: 422, json: { detail } })

const locationsIn = ({ detail }: { detail: { loc: string[] }[] }) =>
  detail.map(({ loc }) => loc.join('.'))

test('all invalid parameters of path and query are reported together with invalid fields of the body', async ({
  service,
}) => {
  const wrong = UserId.example
  const responses = [
    await service.get(`/teams/${wrong}`),
    await service.post(`/users/${RoleId.example}/roles/${wrong}`),
    await service.patch('/users/x', { name: 7, team_id: wrong }),
    await service.get('/users?limit=0&after=x'),
    await service.get(`/users/${UserId.toShort(wrong)}`),
  ]
  expect(responses.map(({ json }) => locationsIn(json))).toEqual([
    ['path.team_id'],
    ['path.user_id', 'path.role_id'],
    ['path.user_id', 'body.name', 'body.team_id'],
    ['query.limit', 'query.after'],
    ['path.user_id'],
  ])
})

const INTEGER =
  'Input should be a valid integer, unable to parse string as an integer'
const AT_MOST = 'Input should be less than or equal to 1000'
const AT_LEAST = 'Input should be greater than or equal to 1'

test.for([
  ...['', '%201', '1e2', '%D9%A3'].map(
    (limit) => [limit, 'int_parsing', INTEGER] as const,
  ),
  ['1001', 'less_than_equal', AT_MOST],
  ['9'.repeat(400), 'less_than_equal', AT_MOST],
  ['0', 'greater_than_equal', AT_LEAST],
  [`-${'9'.repeat(400)}`, 'greater_than_equal', AT_LEAST],
  ['1&l%69mit=1', 'value_error', 'Expected one value, received 2'],
] as const)(
  'the query with limit=%.30s receives 422 with the type %s and the message of Pydantic',
  async ([limit, type, msg], { service }) => {
    const response = await service.get(`/users?limit=${limit}`)
    const issue = { type, loc: ['query', 'limit'], msg }
    expect(response).toMatchObject(invalid(issue))
  },
)

const user = { email: 'ada@example.com', name: 'Ada', password: PASSWORD }

const MESSAGES = {
  missing: 'Field required',
  string_type: 'Input should be a valid string',
  string_unicode:
    'Input should be text without NUL characters and unpaired surrogates',
  string_too_short: 'String should have at least 1 character',
  value_error: 'value is not a valid email address',
  string_pattern_mismatch: 'Expected team, received user',
}

type Issue = [type: keyof typeof MESSAGES, field: string]

const invalidBodies: [path: string, body: object, ...Issue[]][] = [
  ['/teams', { name: 'a\0b' }, ['string_unicode', 'name']],
  ['/teams', { name: 'a\ud800' }, ['string_unicode', 'name']],
  [
    '/roles',
    { description: 7 },
    ['missing', 'name'],
    ['string_type', 'description'],
  ],
  ['/users', { ...user, password: '' }, ['string_too_short', 'password']],
  ['/users', { ...user, team_id: 7 }, ['string_type', 'team_id']],
  [
    '/users',
    { ...user, email: 'ada', team_id: UserId.example },
    ['value_error', 'email'],
    ['string_pattern_mismatch', 'team_id'],
  ],
]

test.for(invalidBodies)(
  'a body receives 422 with every invalid field: POST %s %.80j',
  async ([path, body, ...issues], { service }) => {
    const detail = issues.map(([type, field]) => ({
      type,
      loc: ['body', field],
      msg: MESSAGES[type],
    }))
    const { status, json } = await service.post(path, body)
    expect({ status, json }).toEqual(invalid(...detail))
  },
)

const MISSING = ['missing', 'Field required'] as const
const INVALID = ['json_invalid', 'JSON decode error'] as const
const NO_OBJECT = [
  'model_attributes_type',
  'Input should be a valid dictionary or object to extract fields from',
] as const
const NO_JSON = [
  'model_attributes_type',
  'Input should be sent with the content type application/json',
] as const

test.for([
  [null, JSON_TYPE, MISSING],
  ['', JSON_TYPE, MISSING],
  ['{"name":', JSON_TYPE, INVALID],
  [new Uint8Array([0x22, 0xff, 0x22]), JSON_TYPE, INVALID],
  ['[]', JSON_TYPE, NO_OBJECT],
  ['null', JSON_TYPE, NO_OBJECT],
  ['{"name":"a"}', 'text/plain', NO_JSON],
  ['{"name":"a"}', 'text/application/json', NO_JSON],
] as const)(
  'a body %j of type %s receives 422 with loc ["body"]',
  async ([body, contentType, [type, msg]], { service }) => {
    const headers = { 'content-type': contentType }
    const response = await postTeam(service, body, headers)
    expect(response).toMatchObject(invalid({ type, loc: ['body'], msg }))
  },
)

test.for([
  ['content-type', 'application/json ;charset=utf-8'],
  ['content-type', 'Application/JSON'],
  ['content-type', 'application/merge-patch+json'],
  ['content-encoding', ' Identity '],
  ['content-encoding', ''],
] as const)(
  'a body is read with %s: %s',
  async ([name, value], { service }) => {
    const headers = { [name]: value }
    const response = await postTeam(service, '{"name":"a"}', headers)
    expect(response.status).toBe(201)
  },
)

test.for(['GZIP', 'identity, gzip', 'gzip, identity'])(
  'a body with Content-Encoding: %s receives 415 and the accepted encoding',
  async (encoding, { service }) => {
    const body = gzipSync('{"name":"a"}')
    const headers = { 'content-encoding': encoding }
    const response = await postTeam(service, body, headers)
    expect(response).toMatchObject({
      status: 415,
      json: { detail: 'Content-Encoding must be identity' },
    })
    expect(response.headers.get('accept-encoding')).toBe('identity')
  },
)

test('a body may have undeclared fields, even __proto__', async ({
  service,
}) => {
  const fields = `"__proto__":{"name":"b"},"constructor":1,"id":"x"`
  const { json } = await postTeam(service, `{"name":"a",${fields}}`)
  expect(json).toEqual({ id: expect.stringMatching(/^team-/), name: 'a' })
})

test('a body of one mebibyte is accepted, and with one byte more receives 413', async ({
  service,
}) => {
  const largest = '{"name":"a"}'.padEnd(1024 * 1024)
  for (const [body, status] of [
    [largest, 201],
    [`${largest} `, 413],
  ] as const)
    for (const headers of [{}, { 'content-length': `${body.length}` }]) {
      const response = await postTeam(service, body, headers)
      expect(response.status).toBe(status)
    }
})

test.for([
  ['/teams', 'name', 100, ''],
  ['/roles', 'name', 50, ''],
  ['/roles', 'description', 200, ''],
  ['/users', 'name', 100, ''],
  ['/users', 'email', 255, '@example.com'],
] as const)(
  'text of %s %s is limited to %d code points',
  async ([path, field, limit, end], { service }) => {
    for (const letter of end ? 'x' : 'xé😀') {
      const textOf = (length: number) =>
        letter.repeat(length - end.length) + end
      const post = (value: string) =>
        service.post(path, { ...newUser({ name: letter }), [field]: value })
      const msg = `String should have at most ${limit} characters`
      const issue = { type: 'string_too_long', loc: ['body', field], msg }
      expect(await post(textOf(limit + 1))).toMatchObject(invalid(issue))
      const stored = await bodyOf201(post(textOf(limit)))
      expect(stored[field]).toBe(textOf(limit))
    }
  },
)

test.for([
  ...['', ' a ', 'e\u0301', '\t\n\r', '\u0001\x1f\x7f\ufeff'],
  ...['👩‍👩‍👧\u202e', `%00<b>'";\\`],
])('text is stored and returned as it is: %j', async (name, { service }) => {
  const team = await bodyOf201(service.post('/teams', { name }))
  expect(team.name).toBe(name)
  expect((await service.get(`/teams/${team.id}`)).json.name).toBe(name)
})

test('an issue that Pydantic does not have keeps the message of zod', () => {
  const input = { extra: 1 }
  const { error } = z.strictObject({}).safeParse(input)
  expect(error && toIssues('body', input, error)).toEqual([
    { type: 'value_error', loc: ['body'], msg: 'Unrecognized key: "extra"' },
  ])
})
