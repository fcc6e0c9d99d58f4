import { expect } from 'vitest'
import { HTTP_ERRORS } from '../../src/http/failures.ts'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { createLog } from '../../src/observability/log.ts'
import {
  bodyOf201,
  newUser,
  type Service,
  storedUser,
  test,
} from '../support/http-fixture.ts'
import { appOn, withSlowRows } from '../support/listen.ts'

const lastLine = ({ logLines }: Service) => JSON.parse(logLines.at(-1) ?? '{}')

const WARN = 40
const ERROR = 50
const INFO = 30

test('a 422 is logged at warn with method, route and the loc of each issue', async ({
  service,
}) => {
  await service.patch(`/users/${UserId.example}`, { name: 7, team_id: 'x' })
  expect(lastLine(service)).toMatchObject({
    level: WARN,
    time: expect.stringMatching(/^[\d-]{10}T[\d:.]{12}Z$/),
    pid: process.pid,
    msg: 'request failed',
    method: 'PATCH',
    route: '/users/{user_id}',
    status: 422,
    locs: [
      ['body', 'name'],
      ['body', 'team_id'],
    ],
    request_id: expect.any(String),
  })
})

test('ids of the path, and names and values of the query and of the body, are not logged', async ({
  service,
}) => {
  await service.post(`/users/hunter2%40example.com/roles/${RoleId.example}`)
  expect(lastLine(service)).toMatchObject({
    level: WARN,
    route: '/users/{user_id}/roles/{role_id}',
    locs: [['path', 'user_id']],
  })
  await service.get('/users?limit=hunter2&team_id=hunter2&hunter2=hunter2')
  expect(lastLine(service)).toMatchObject({
    level: WARN,
    route: '/users',
    locs: [
      ['query', 'limit'],
      ['query', 'team_id'],
    ],
  })
  await service.post('/users', {
    email: 'hunter2',
    name: { hunter2: 1 },
    password: 'x',
    hunter2: 'hunter2',
  })
  expect(lastLine(service).locs).toEqual([
    ['body', 'email'],
    ['body', 'name'],
  ])
  expect(service.logLines.join()).not.toContain('hunter2')
})

test('a 400, a 403, a 413 and a 415 are logged at warn', async ({
  service,
}) => {
  const user = newUser()
  await bodyOf201(service.post('/users', user))
  await service.post('/users', user)
  expect(lastLine(service)).toMatchObject({
    level: WARN,
    status: 400,
    route: '/users',
    method: 'POST',
  })

  await service.request('/teams', {
    method: 'POST',
    headers: { 'sec-fetch-site': 'cross-site' },
  })
  expect(lastLine(service)).toMatchObject({
    level: WARN,
    status: 403,
    route: '/teams',
  })
  await service.post('/teams', 'x'.repeat(1024 * 1024 + 1))
  expect(lastLine(service)).toMatchObject({
    level: WARN,
    status: 413,
    route: '/teams',
  })
  await service.request('/teams', {
    method: 'POST',
    headers: { 'content-encoding': 'gzip' },
    body: '{}',
  })
  expect(lastLine(service)).toMatchObject({
    level: WARN,
    status: 415,
    route: '/teams',
  })
})

test('a request to a host that is not allowed is logged at warn', async ({
  database,
}) => {
  const { app, logLines } = appOn(database)
  const env = { rejection: HTTP_ERRORS.misdirected }
  const response = await app.request('/teams', {}, env)
  expect(response.status).toBe(421)
  expect(await response.json()).toEqual({
    detail: 'The service is not available at this host',
  })
  expect(logLines.map((line) => JSON.parse(line))).toMatchObject([
    { level: WARN, status: 421, route: null },
  ])
})

test('a 404 and a 405 are logged at info, as a success is', async ({
  service,
}) => {
  await service.get(`/teams/${TeamId.example}`)
  expect(lastLine(service)).toMatchObject({
    level: INFO,
    status: 404,
    msg: 'request completed',
  })
  await service.delete('/teams')
  expect(lastLine(service)).toMatchObject({
    level: INFO,
    status: 405,
    msg: 'request completed',
  })
  for (const method of ['GET', 'HEAD']) {
    await service.request('/teams', { method })
    const { ms, ...line } = lastLine(service)
    expect(line).toMatchObject({
      level: INFO,
      route: '/teams',
      status: 200,
      msg: 'request completed',
    })
    expect(ms).toBeGreaterThan(0)
    expect(ms).toBeLessThan(performance.now())
  }
  expect(service.logLines.join()).not.toContain(TeamId.example)
})

test('a 500 is one line at error with the cause, which the response does not have', async ({
  service,
  database,
}) => {
  const user = await storedUser(service)
  const rename = (from: string, to: string) =>
    database.db.schema.alterTable(from).renameTo(to).execute()
  await rename('user_roles', 'renamed')
  try {
    const before = service.logLines.length
    const response = await service.get(`/users/${user.id}`)
    expect(response).toMatchObject({
      status: 500,
      json: { detail: 'Internal Server Error' },
    })
    expect(service.logLines.length - before).toBe(1)
    expect(lastLine(service)).toMatchObject({
      level: ERROR,
      msg: 'request failed',
      method: 'GET',
      route: '/users/{user_id}',
      status: 500,
      err: { message: expect.stringContaining('user_roles') },
    })
  } finally {
    await rename('renamed', 'user_roles')
  }
})

test('a 500 because of a thrown value that is not an error is logged at error, too', async ({
  database,
}) => {
  const slow = withSlowRows(database, () => Promise.reject())
  const { app, logLines } = appOn(slow)
  const response = await app.request('/teams?limit=1')
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ detail: 'Internal Server Error' })
  expect(JSON.parse(logLines.at(-1) ?? '')).toMatchObject({ level: ERROR })
})

test('the log has name, message, code and stack of an error and of its causes, and no other field', () => {
  const lines: string[] = []
  const log = createLog('info', { write: (line) => lines.push(line) })
  const error = (message: string, cause?: unknown) =>
    Object.assign(new Error(message, { cause }), {
      code: '23505',
      detail: 'Key (password_hash)=(hunter2) already exists.',
    })
  log.error({ err: error('outer', error('inner', error('innermost'))) })
  log.error({ err: { detail: 'hunter2' } })
  expect(JSON.parse(lines[0] ?? '').err).toMatchObject({
    name: 'Error',
    message: 'outer',
    code: '23505',
    stack: expect.stringContaining('failed-requests-in-log'),
    cause: { message: 'inner', code: '23505', cause: { message: 'innermost' } },
  })
  expect(JSON.parse(lines[1] ?? '').err).toEqual({
    message: 'not an error object',
  })
  expect(lines.join()).not.toContain('hunter2')
})
