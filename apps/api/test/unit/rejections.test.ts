import { sendRaw } from 'testkit/raw-http.ts'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerLimits } from '../../src/server/serve.ts'
import { listen } from '../support/listen.ts'

const ORIGIN = 'https://app.example.com'

/** Requests that the server rejects before the app handles them. */
const REJECTED: [
  what: string,
  request: string,
  status: number,
  detail: string,
  limits: Partial<ServerLimits>,
][] = [
  ['without Host', `GET /teams HTTP/1.1\r\nOrigin: ${ORIGIN}\r\n\r\n`, 400, 'Bad Request', {}],
  [
    'with too many headers',
    `GET /teams HTTP/1.1\r\nHost: x\r\nOrigin: ${ORIGIN}\r\n${'A: b\r\n'.repeat(30)}\r\n`,
    431,
    'Request Header Fields Too Large',
    { headers: 20 },
  ],
  [
    'when the server is full',
    `GET /teams HTTP/1.1\r\nHost: x\r\nOrigin: ${ORIGIN}\r\n\r\n`,
    503,
    'Service Unavailable',
    { requests: 0 },
  ],
]

const start = async (limits: Partial<ServerLimits>) => {
  const service = await listen('a', { limits, options: () => ({ corsOrigins: [ORIGIN] }) })
  onTestFinished(service.close)
  return service
}

test.for(REJECTED)(
  'a request %s receives a detail, the CORS headers and a log line, like every other',
  async ([, request, status, detail, limits]) => {
    const service = await start(limits)
    const [head = '', body] = (await sendRaw(service.port, request)).split('\r\n\r\n')
    expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} `))
    expect(head).toMatch(new RegExp(`^access-control-allow-origin: ${ORIGIN}$`, 'im'))
    expect(head).toMatch(/^content-type: application\/json$/im)
    expect(head).toMatch(/^x-content-type-options: nosniff$/im)
    const [, requestId] = /^x-request-id: (.+)$/im.exec(head) ?? []
    expect(JSON.parse(body ?? '')).toEqual({ detail })
    const lines = service.logLines.map((line) => JSON.parse(line))
    expect(lines.filter(({ request_id }) => request_id === requestId)).toMatchObject([{ status }])
  },
)

test.for([
  ['that is not HTTP', 'no HTTP\r\n\r\n', 400, 'Bad Request', 'malformed'],
  [
    'with headers that are too long',
    `GET / HTTP/1.1\r\nA: ${'b'.repeat(3000)}\r\n\r\n`,
    431,
    'Request Header Fields Too Large',
    'headers',
  ],
  ['that does not end', 'GET / HTTP/1.1\r\n', 408, 'Request Timeout', 'slow_request'],
] as const)(
  'a request %s receives a detail, and one log line per second reports such requests',
  async ([, request, status, detail, reason]) => {
    const service = await start({ headerBytes: 2048, headersMs: 100 })
    const responses = await Promise.all(Array.from({ length: 5 }, () => sendRaw(service.port, request)))
    for (const response of responses) {
      const [head = '', body] = response.split('\r\n\r\n')
      expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} ${detail}\r\n`))
      expect(head).toMatch(/^x-request-id: .+$/im)
      expect(head).toMatch(/^x-content-type-options: nosniff$/im)
      expect(JSON.parse(body ?? '')).toEqual({ detail })
    }
    const lines = service.logLines.map((line) => JSON.parse(line))
    expect(lines.filter(({ msg }) => msg === 'requests rejected')).toMatchObject([
      { level: 40, reason, count: 1 },
    ])
  },
)

test('each line about rejections counts those of its own reason', async () => {
  const service = await start({ headerBytes: 2048 })
  const tooLong = `GET / HTTP/1.1\r\nA: ${'b'.repeat(3000)}\r\n\r\n`
  for (const request of ['no HTTP\r\n\r\n', tooLong]) await sendRaw(service.port, request)
  const lines = service.logLines.map((line) => JSON.parse(line))
  expect(lines.filter(({ msg }) => msg === 'requests rejected')).toMatchObject([
    { reason: 'malformed', count: 1 },
    { reason: 'headers', count: 1 },
  ])
})

test('a response to HEAD that the server rejects has no body', async () => {
  const service = await start({})
  const [head = '', body] = (await sendRaw(service.port, 'HEAD nothing HTTP/1.1\r\n\r\n')).split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 400 /)
  expect(body).toBe('')
})
