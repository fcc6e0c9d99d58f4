import fc, { type Arbitrary } from 'fast-check'
import type { ProfileName } from '../verdict.ts'
import { type Attempt, formatRaw, HIDDEN } from './attempt.ts'

/*
 * Request smuggling: requests with contradictory or invalid framing that contain a second, hidden request. One parser
 * takes the hidden request for the body, and another parser for the next request. The service must reject everything,
 * or take the hidden request for the body. It must never execute the hidden request.
 */

/** The path of the list to which a profile's hidden request would add a record. */
export const HIDDEN_PATHS: Record<ProfileName, string> = { a: '/teams', b: '/users' }

/** Formats a request that creates a record. */
export function createHiddenRequest(profile: ProfileName, id: string, name = HIDDEN): string {
  const body = profile === 'a' ? { name } : { name, email: '' }
  const headers = ['Content-Type: application/json', `X-Request-Id: ${id}`]
  return formatRaw('POST', HIDDEN_PATHS[profile], headers, JSON.stringify(body))
}

/** Returns the end of a chunked body, followed by `hidden`. */
const afterBody = (hidden: string) => `0\r\n\r\n${hidden}`

/** Returns a chunk that contains `hidden`. */
const inChunk = (hidden: string) => `${hidden.length.toString(16)}\r\n${hidden}\r\n0\r\n\r\n`

/** Values of Transfer-Encoding that some parsers accept and others do not. */
// biome-ignore format: one line per value would take 40 lines
const ENCODINGS = [
  'Transfer-Encoding: chunked', 'transfer-encoding: CHUNKED', 'Transfer-Encoding : chunked',
  'Transfer-Encoding\t: chunked', ' Transfer-Encoding: chunked', 'X: y\r\n Transfer-Encoding: chunked',
  'X: y\r\n\tTransfer-Encoding: chunked', 'Transfer-Encoding: xchunked',
  'Transfer-Encoding: chunked, identity', 'Transfer-Encoding: identity, chunked',
  'Transfer-Encoding: gzip, chunked', 'Transfer-Encoding: identity',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
  'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked',
  'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', 'Transfer-Encoding:\tchunked',
  'Transfer-Encoding:\x0bchunked', 'Transfer-Encoding: "chunked"', "Transfer-Encoding: 'chunked'",
  'Transfer-Encoding: chunked;q=1', 'Transfer-Encoding: \x00chunked', 'Transfer-Encoding: chunked\x00',
  'Transfer-Encoding:', 'Transfer-Encoding: ,chunked', 'Transfer-Encoding: chunked,',
  'Transfer-Encoding: cHuNkEd\xa0', 'X: y\nTransfer-Encoding: chunked', 'X: y\rTransfer-Encoding: chunked',
  'X: y\n\rTransfer-Encoding: chunked', 'Transfer_Encoding: chunked', 'Transfer-Encoding\x00: chunked',
  'Transfer-Encoding:\n chunked', '\x00Transfer-Encoding: chunked', ': x\r\nTransfer-Encoding: chunked',
]

/** Invalid values of Content-Length, and numbers that overflow to 0. */
// biome-ignore format: one line per value would take 40 lines
const LENGTHS = [
  '+0', '-0', '-1', '0x0', '0,0', '0, 0', '0 0', '0_0', '0.0', '0e0', '', 'NaN', 'x', '\x00', '0\x00',
  '\xb2', '18446744073709551616', '4294967296\x0b', '9'.repeat(40), '0;x', '"0"',
]

// biome-ignore format: one line per value would take 40 lines
const SIZES = [
  '-1', '+0', '0x0', 'g', '', ' ', '\x00', '0\x00', 'x0', '10000000000000000', 'ffffffffffffffff0', '0_0',
  '0.0', '-0', '\xb2', '0\n', '0\r', '5;\n', '5;"\n',
]

/** Requests that the service must reject. The hidden request follows them. */
const invalidHeads = (type: string): string[] => [
  ...LENGTHS.map((length) => `POST /teams HTTP/1.1\r\nHost: x\r\n${type}Content-Length: ${length}\r\n\r\n`),
  ...LENGTHS.map((length) => `GET /teams HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`),
  ...SIZES.map(
    (size) => `POST /teams HTTP/1.1\r\nHost: x\r\n${type}Transfer-Encoding: chunked\r\n\r\n${size}\r\n\r\n`,
  ),
  `POST /teams HTTP/1.1\r\nHost: x\r\n${type}Transfer-Encoding: chunked\r\n\r\n1\r\n{x\r\n0\r\n\r\n`,
  `POST /teams HTTP/1.1\r\nHost: x\r\n${type}Transfer-Encoding: chunked\r\n\r\n1\r\n{\n0\n\n`,
  `POST /teams HTTP/1.1\r\nHost: x\r\n${type}Transfer-Encoding: chunked\r\n\r\n0\n\n`,
  `POST /teams HTTP/1.0\r\nHost: x\r\n${type}Connection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
  'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\nContent-Length: 1\r\n\r\n',
  'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length: 0\nX: y\r\n\r\n',
  'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length: 0\rX: y\r\n\r\n',
  'POST /teams HTTP/1.1\r\nHost: x\r\nContent-Length : 0\r\n\r\n',
  'POST /teams HTTP/1.1\r\nHost: x\r\n Content-Length: 0\r\n\r\n',
  'GET /teams\r\n',
  'GET /teams\r\n\r\n',
  'GET /teams HTTP/0.9\r\n\r\n',
  'GET /teams HTTP/2.0\r\nHost: x\r\n\r\n',
  'GET /teams HTTP/1.10\r\nHost: x\r\n\r\n',
  'GET /teams HTTP/1.9\r\nHost: x\r\n\r\n',
  'GET /teams http/1.1\r\nHost: x\r\n\r\n',
  'GET /teams HTTP/1.1 HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET\t/teams\tHTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /te ams HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /te\x00ams HTTP/1.1\r\nHost: x\r\n\r\n',
  'GET /teams HTTP/1.1\nHost: x\n\n',
  'GET /teams HTTP/1.1\rHost: x\r\r',
  'GET /teams HTTP/1.1\r\nHost: x\r\nHost\r\n\r\n',
  'GET /teams HTTP/1.1\r\nHost: x\r\nX Y: z\r\n\r\n',
  'GET /teams HTTP/1.1\r\nHost: x\r\nX: a\x00b\r\n\r\n',
  'get /teams HTTP/1.1\r\nHost: x\r\n\r\n',
  'XYZZY /teams HTTP/1.1\r\nHost: x\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n',
  'GET /teams HTTP/1.1\r\n\r\n', // no host
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', // TLS
  '\x00',
  'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n',
]

export function frameAttempts(profile: ProfileName): Arbitrary<Attempt> {
  // Each hidden request has its own id, which identifies the attempt in the log.
  return fc.nat().chain((n) => createFrames(profile, `${HIDDEN}-${n}`))
}

function createFrames(profile: ProfileName, id: string): Arbitrary<Attempt> {
  const path = HIDDEN_PATHS[profile]
  const type = 'Content-Type: application/json\r\n'
  const hidden = createHiddenRequest(profile, id)

  const head = (method: string, lines: readonly string[]) =>
    `${method} ${path} HTTP/1.1\r\nHost: x\r\n${type}${lines.join('\r\n')}\r\n\r\n`
  const method = fc.constantFrom('POST', 'POST', 'GET', 'DELETE', 'HEAD', 'PUT')
  /** Requests with Content-Length and Transfer-Encoding. By Content-Length, the body contains the hidden request. */
  const both = fc
    .tuple(method, fc.constantFrom(...ENCODINGS), fc.boolean(), fc.boolean())
    .map(([method, encoding, lengthFirst, isAfterBody]) => {
      const bytes = isAfterBody ? afterBody(hidden) : inChunk(hidden)
      const lines = [encoding, `Content-Length: ${bytes.length}`]
      return head(method, lengthFirst ? lines.toReversed() : lines) + bytes
    })
  /** Requests with Content-Length and Transfer-Encoding. By Content-Length, the body ends before the hidden request. */
  const short = fc
    .tuple(method, fc.constantFrom('Transfer-Encoding: chunked', 'transfer-encoding:chunked'), fc.boolean())
    .map(([method, encoding, lengthFirst]) => {
      const bytes = inChunk(hidden)
      const lines = [encoding, 'Content-Length: 4'] // the length of the line with the chunk size
      return head(method, lengthFirst ? lines.toReversed() : lines) + bytes
    })
  const twoLengths = fc.tuple(method, fc.boolean(), fc.boolean()).map(([method, joined, longFirst]) => {
    const lengths = longFirst ? [hidden.length, 0] : [0, hidden.length]
    return (
      head(
        method,
        joined ? [`Content-Length: ${lengths.join(', ')}`] : lengths.map((n) => `Content-Length: ${n}`),
      ) + hidden
    )
  })
  /** Valid requests whose body is the hidden request. */
  const plain = fc
    .tuple(
      method,
      fc.constantFrom(
        '',
        'Expect: 100-continue\r\n',
        'Expect: x\r\n',
        'Connection: Upgrade\r\nUpgrade: h2c\r\n',
        'Connection: Upgrade\r\nUpgrade: websocket\r\n',
      ),
      fc.boolean(),
    )
    .map(([method, extra, chunked]) =>
      chunked
        ? head(method, [`${extra}Transfer-Encoding: chunked`]) + inChunk(hidden)
        : head(method, [`${extra}Content-Length: ${hidden.length}`]) + hidden,
    )
  const tooLarge = fc
    .integer({ min: 1024 * 1024 + 1, max: 2 ** 40 })
    .map((length) => head('POST', [`Content-Length: ${length}`]) + hidden)
  const rejected = fc.constantFrom(...invalidHeads(type)).map((head) => head + hidden)

  return fc
    .oneof(
      { weight: 4, arbitrary: both },
      { weight: 6, arbitrary: rejected },
      short,
      twoLengths,
      plain,
      tooLarge,
    )
    .map((bytes) => ({ kind: 'frame', bytes, hidden: id }))
}
