import { Readable } from 'node:stream'
import type { Context } from 'hono'
import { bindingsOf } from './app-env.ts'
import { type Failure, HTTP_ERRORS } from './failures.ts'
import type { ValidationIssue } from './validation.ts'

export const BODY_LIMIT = 1024 * 1024

export const UNFINISHED_LIMIT = 64 * BODY_LIMIT

type Body =
  | { readonly json: unknown }
  | { readonly issue: ValidationIssue }
  | Failure

/** Rejects compressed bodies, because 1 MiB of gzip can expand to 1 GiB. */
export async function readJson(c: Context): Promise<Body> {
  const { req } = c
  if (!/^(?:identity)?$/i.test(req.header('content-encoding') ?? ''))
    return HTTP_ERRORS.unsupported_encoding
  const length = Number(req.header('content-length'))
  if (length > BODY_LIMIT) return HTTP_ERRORS.too_large
  const { incoming, outgoing, unfinishedBodies } = bindingsOf(c)
  let stream: Readable
  if (incoming && unfinishedBodies) {
    if (
      incoming.httpVersion === '1.1' &&
      /^100-continue$/i.test(req.header('expect') ?? '')
    )
      outgoing?.writeContinue()
    stream = incoming
  } else {
    // `req.arrayBuffer()` returns Hono's copy of a body that was already read.
    const chunks: AsyncIterable<Uint8Array> | Uint8Array[] = req.raw.bodyUsed
      ? [new Uint8Array(await req.arrayBuffer())]
      : (req.raw.body ?? [])
    stream = Readable.from(chunks)
  }
  const bytes = await collect(stream, length, unfinishedBodies)
  return bytes instanceof Uint8Array
    ? parse(bytes, req.header('content-type'))
    : bytes
}

/**
 * Collects the body in one growing buffer. A list of chunks would take 400 MB
 * for 1 MiB that arrives byte by byte. Hono's `arrayBuffer()` would take 9 %
 * more processor time for POST /teams.
 */
function collect(
  stream: Readable,
  length: number,
  bodies = { bytes: 0 },
): Promise<Uint8Array | Failure> {
  const { promise, resolve } = Promise.withResolvers<Uint8Array | Failure>()
  let buffer = Buffer.alloc(0)
  let size = 0
  let whole: Uint8Array | undefined
  function onData(chunk: Uint8Array): void {
    if (chunk.length === length) {
      whole = chunk
      return
    }
    const needed = size + chunk.length
    if (needed > BODY_LIMIT) return void finish(HTTP_ERRORS.too_large)
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafeSlow(
        Math.min(BODY_LIMIT, Math.max(needed, 2 * buffer.length)),
      )
      if (bodies.bytes + larger.length - buffer.length > UNFINISHED_LIMIT)
        return void finish(HTTP_ERRORS.unavailable)
      bodies.bytes += larger.length - buffer.length
      buffer.copy(larger)
      buffer = larger
    }
    buffer.set(chunk, size)
    size = needed
  }
  function finish(result: Uint8Array | Failure): void {
    stream.off('data', onData)
    bodies.bytes -= buffer.length
    buffer = Buffer.alloc(0)
    resolve(result)
  }
  // A request without a body has already ended, and emits no event.
  if (stream.readableEnded) resolve(buffer)
  else
    stream
      .on('data', onData)
      .on('end', () => finish(whole ?? buffer.subarray(0, size)))
  stream.on('error', () => finish(HTTP_ERRORS.bad_request))
  return promise
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Uint8Array, type = ''): Body {
  if (bytes.byteLength === 0) return invalid('missing', 'Field required')
  if (!/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type))
    return invalid(
      'model_attributes_type',
      'Input should be sent with the content type application/json',
    )
  try {
    return { json: JSON.parse(utf8.decode(bytes)) }
  } catch {
    return invalid('json_invalid', 'JSON decode error')
  }
}

const invalid = (type: string, msg: string) => ({
  issue: { type, loc: ['body'], msg },
})
