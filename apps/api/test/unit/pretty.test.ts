import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog, createPrettyFormat } from '../../src/observability/log.ts'

const plain = await createPrettyFormat(false)
const coloured = await createPrettyFormat(true)

function linesOf(
  write: (log: ReturnType<typeof createLog>) => void,
  colorize = false,
): string {
  const format = colorize ? coloured : plain
  const lines: string[] = []
  write(createLog('info', { write: (line) => void lines.push(format(line)) }))
  return lines.join('')
}

test('a request is one line, without colours unless they are asked for', () => {
  const request = {
    method: 'GET',
    route: '/teams',
    status: 200,
    ms: 1.25,
    request_id: 'x',
  }
  const line = linesOf((log) => log.info(request, 'request completed'))
  expect(line).toMatch(/^\[\d\d:\d\d:\d\d\] INFO: GET \/teams 200 1\.3 ms\n$/)
  expect(
    linesOf((log) => log.info(request, 'request completed'), true),
  ).toContain('\u001b[')
})

test('the time is in the zone of the machine', () => {
  vi.stubEnv('TZ', 'Asia/Kolkata')
  onTestFinished(() => void vi.unstubAllEnvs())
  expect(
    plain('{"level":30,"time":"2024-06-14T10:14:09.300Z","msg":"x"}'),
  ).toBe('[15:44:09] INFO: x\n')
})

test('a failed request is one line with what is invalid, and an event keeps its message', () => {
  const request = {
    method: 'GET',
    route: '/none',
    status: 404,
    ms: 0.1,
    locs: [['path', 'user_id']],
  }
  expect(linesOf((log) => log.warn(request, 'request failed'))).toMatch(
    /^\S+ WARN: GET \/none 404 0\.1 ms \{"locs":\[\["path","user_id"\]\]\}\n$/,
  )
  expect(linesOf((log) => log.info({ signal: 'SIGTERM' }, 'stopping'))).toMatch(
    / INFO: stopping \{"signal":"SIGTERM"\}\n$/,
  )
})
