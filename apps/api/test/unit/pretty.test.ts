import { expect, onTestFinished, test, vi } from 'vitest'
import { createPrettyFormat } from '../../src/observability/log.ts'

const request = { method: 'GET', route: '/teams', request_id: 'x' }
const line = (level: number, fields: object) =>
  JSON.stringify({ level, time: '2024-06-14T10:14:09.300Z', pid: 1, ...fields })

test.each([
  [
    40,
    { ...request, status: 422, ms: 1.25, locs: [], msg: 'request failed' },
    'WARN: GET /teams 422 1.3 ms {"locs":[]}',
  ],
  [
    30,
    { signal: 'SIGTERM', msg: 'stopping' },
    'INFO: stopping {"signal":"SIGTERM"}',
  ],
])(
  'an event is one line, with the time of the machine: level %i %j',
  async (level, fields, expected) => {
    vi.stubEnv('TZ', 'Asia/Kolkata')
    onTestFinished(() => void vi.unstubAllEnvs())
    const plain = await createPrettyFormat(false)
    expect(plain(line(level, fields))).toBe(`[15:44:09] ${expected}\n`)
  },
)

test('a line has colours if they are asked for', async () => {
  const coloured = await createPrettyFormat(true)
  expect(coloured(line(30, { msg: 'x' }))).toContain('\u001b[')
})
