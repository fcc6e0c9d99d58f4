import { expect, vi } from 'vitest'
import { RoleId, TeamId, UserId } from '../../src/ids.ts'
import { createLog } from '../../src/observability/log.ts'
import { useFakeTimers } from '../support/fake-timers.ts'
import { newUser, storedUser, test } from '../support/http-fixture.ts'
import { appOn, lastLine, withSlowRows } from '../support/listen.ts'

const [INFO, WARN, ERROR] = [30, 40, 50]

const TEAM = `/teams/${TeamId.example}`

test('a 422 is logged at warn with method, route and the loc of each issue', async ({
  service,
}) => {
  await service.patch(`/users/${UserId.example}`, { name: 7, team_id: 'x' })
  expect(lastLine(service)).toEqual({
    level: WARN,
    time: expect.stringMatching(/^[\d-]{10}T[\d:.]{12}Z$/),
    pid: process.pid,
    msg: 'request failed',
    method: 'PATCH',
    route: '/users/{user_id}',
    status: 422,
    ms: expect.any(Number),
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
  const locs = () => lastLine(service).locs
  await service.post(`/users/hunter2%40example.com/roles/${RoleId.example}`)
  expect(locs()).toEqual([['path', 'user_id']])
  await service.get('/users?limit=hunter2&hunter2=hunter2')
  expect(locs()).toEqual([['query', 'limit']])
  await service.post('/users', { name: { hunter2: 1 }, hunter2: 'hunter2' })
  expect(locs()).toContainEqual(['body', 'name'])
  expect(service.logLines.join()).not.toContain('hunter2')
})

test('400, 403, 413 and 415 are logged at warn, 404, 405 and 200 at info', async ({
  service,
}) => {
  const user = newUser()
  await service.post('/users', user)
  const teams = (init: RequestInit) => service.request('/teams', init)
  const post = (headers: Record<string, string>) =>
    teams({ method: 'POST', headers, body: '{}' })
  const responses = [
    [() => service.post('/users', user), 400, '/users', WARN],
    [() => post({ 'sec-fetch-site': 'cross-site' }), 403, '/teams', WARN],
    [() => service.post('/teams', 'x'.repeat(2 ** 20)), 413, '/teams', WARN],
    [() => post({ 'content-encoding': 'gzip' }), 415, '/teams', WARN],
    [() => service.get(TEAM), 404, '/teams/{team_id}', INFO],
    [() => service.delete('/teams'), 405, null, INFO],
    [() => teams({ method: 'GET' }), 200, '/teams', INFO],
    [() => teams({ method: 'HEAD' }), 200, '/teams', INFO],
  ] as const
  for (const [send, status, route, level] of responses) {
    await send()
    const msg = level === WARN ? 'request failed' : 'request completed'
    expect(lastLine(service)).toMatchObject({ status, route, level, msg })
  }
})

test('a 500 is one line at error with the cause, which the response does not have', async ({
  service,
}) => {
  const user = await storedUser(service)
  const rename = (from: string, to: string) =>
    service.db.schema.alterTable(from).renameTo(to).execute()
  await rename('user_roles', 'renamed')
  try {
    const before = service.logLines.length
    expect(await service.get(`/users/${user.id}`)).toMatchObject({
      status: 500,
      json: { detail: 'Internal Server Error' },
    })
    expect(service.logLines).toHaveLength(before + 1)
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

test('a thrown value that is not an error is logged at error, too, with the milliseconds until then', async ({
  database,
}) => {
  useFakeTimers({ toFake: ['performance'] })
  const failLate = () => {
    vi.advanceTimersByTime(1500)
    return Promise.reject()
  }
  const service = appOn(withSlowRows(database, failLate))
  const response = await service.app.request('/teams?limit=1')
  expect(response.status).toBe(500)
  expect(await response.json()).toEqual({ detail: 'Internal Server Error' })
  expect(lastLine(service)).toMatchObject({ level: ERROR, ms: 1500 })
})

test('the log has name, message, code and stack of an error and of its causes, and no other field', () => {
  const logLines: string[] = []
  const log = createLog('info', { write: (line) => logLines.push(line) })
  const error = (message: string, cause?: unknown) =>
    Object.assign(new Error(message, { cause }), {
      code: '23505',
      detail: 'Key (password_hash)=(hunter2) already exists.',
    })
  log.error({ err: error('outer', error('inner', error('innermost'))) })
  expect(lastLine({ logLines }).err).toMatchObject({
    name: 'Error',
    message: 'outer',
    code: '23505',
    stack: expect.stringContaining('failed-requests-in-log'),
    cause: { message: 'inner', code: '23505', cause: { message: 'innermost' } },
  })
  log.error({ err: { detail: 'hunter2' } })
  expect(lastLine({ logLines }).err).toEqual({ message: 'not an error object' })
  expect(logLines.join()).not.toContain('hunter2')
})
