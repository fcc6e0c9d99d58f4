import { connect } from 'node:net'
import type { HttpResponse } from '../kit/http.ts'

interface Received {
  /** The received bytes, with one character per byte. */
  readonly received: string
  /** Whether the end may be missing, because the server closed before it read everything, or the client gave up. */
  readonly isCut: boolean
}

/** Maximum time for a response: longer than the queue of password hashes, shorter than the service's time limits. */
const RESPONSE_MS = 5000

/** Duration of silence after which the client concludes that the server waits for more bytes. */
const SILENCE_MS = 250

/**
 * Sends bytes on a new connection and returns everything that arrives until the server closes it. If `isComplete` is
 * false, the bytes may be the beginning of a request; the client then ends the connection after a silence.
 */
export function exchangeBytes(port: number, bytes: string, isComplete: boolean): Promise<Received> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    let received = ''
    let isCut = false
    socket.setTimeout(isComplete ? RESPONSE_MS : SILENCE_MS)
    socket.on('timeout', () => {
      if (isComplete || isCut) {
        socket.destroy()
        return reject(
          new Error(
            `no response within ${RESPONSE_MS} ms, after receiving ${JSON.stringify(received.slice(0, 200))}`,
          ),
        )
      }
      isCut = true
      socket.setTimeout(RESPONSE_MS)
      socket.end()
    })
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1')
    })
    socket.on('end', () => socket.end())
    socket.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close without reading the bytes after a rejected request.
      if (error.code !== 'ECONNRESET' && error.code !== 'EPIPE') return reject(error)
      isCut = true
    })
    socket.on('close', () => resolve({ received, isCut }))
    socket.write(Buffer.from(bytes, 'latin1'))
  })
}

const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) [\x20-\x7e]*$/
const HEADER_LINE = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+): ([\x20-\x7e]*)$/

/**
 * Parses everything that a connection has received, one character per byte, into responses, without interim responses.
 * Throws for bytes that RFC 9112 does not allow, also for an incomplete body unless `isCut` is set. `method` is the
 * method of the first request, because a response to HEAD has no body.
 */
export function parseResponses(received: string, method: string | undefined, isCut: boolean): HttpResponse[] {
  const responses: HttpResponse[] = []
  try {
    for (const response of parseAll(received, method)) responses.push(response)
  } catch (error) {
    if (!isCut) throw error
  }
  return responses
}

function* parseAll(received: string, method: string | undefined): Iterable<HttpResponse> {
  let isFirst = true
  let rest = received
  while (rest !== '') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0) throw new Error(`incomplete headers: ${JSON.stringify(rest.slice(0, 200))}`)
    const { status, headers } = parseHead(rest.slice(0, end))
    rest = rest.slice(end + 4)
    if (status === 100) continue
    const isBodiless = status === 204 || status === 304 || (isFirst && method === 'HEAD')
    const { body, length } = isBodiless ? { body: '', length: 0 } : parseBody(rest, headers)
    rest = rest.slice(length)
    yield { status, headers, body: Buffer.from(body, 'latin1').toString('utf8') }
    isFirst = false
  }
}

function parseHead(text: string): Pick<HttpResponse, 'status' | 'headers'> {
  const [first = '', ...lines] = text.split('\r\n')
  const [, status] = STATUS_LINE.exec(first) ?? []
  if (status === undefined) throw new Error(`invalid status line ${JSON.stringify(first.slice(0, 200))}`)
  const headers = new Map<string, string>()
  for (const line of lines) {
    const [, name, value = ''] = HEADER_LINE.exec(line) ?? []
    if (name === undefined) throw new Error(`invalid header line ${JSON.stringify(line)}`)
    if (headers.has(name.toLowerCase())) throw new Error(`duplicate header ${name}`)
    headers.set(name.toLowerCase(), value)
  }
  return { status: Number(status), headers }
}

/** Returns the body at the start of a string, and the number of bytes that it occupies. */
function parseBody(text: string, headers: HttpResponse['headers']): { body: string; length: number } {
  if (headers.get('transfer-encoding') === 'chunked') return parseChunks(text)
  const contentLength = headers.get('content-length')
  // Without a length, the body ends with the connection. The service sends only empty rejections in this way.
  const length = contentLength === undefined ? text.length : Number(contentLength)
  if (length > text.length) throw new Error(`body of ${text.length} bytes, Content-Length ${length}`)
  return { body: text.slice(0, length), length }
}

function parseChunks(text: string): { body: string; length: number } {
  const line = /([0-9a-f]+)\r\n/iy
  let body = ''
  for (let at = 0; ; ) {
    line.lastIndex = at
    const [head, size = ''] = line.exec(text) ?? []
    if (head === undefined) throw new Error(`invalid chunk at ${JSON.stringify(text.slice(at, at + 40))}`)
    const start = at + head.length
    at = start + Number.parseInt(size, 16)
    if (text.slice(at, at + 2) !== '\r\n') throw new Error('incomplete chunk')
    body += text.slice(start, at)
    at += 2
    if (size === '0') return { body, length: at }
  }
}
