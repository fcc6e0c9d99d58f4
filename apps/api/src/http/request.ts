import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { Context } from 'hono'
import type { Failure } from './errors.ts'
import type { ValidationIssue } from './validation.ts'

/** The values that the server passes to the app with each request. */
export interface AppEnv {
  Bindings: {
    /** Set when the server rejects the request: the app responds with this error and does not run the endpoint. */
    readonly rejection?: Failure
    /** Node's request. Hono sees only the normalized URL, and its streams are slower. Absent when a test calls the app. */
    readonly incoming?: IncomingMessage
  }
}

/**
 * Returns a request header by its name in lower case, of Node's request if there is one: Hono would search for it. Not for
 * headers of which Node drops the second one, such as Content-Type.
 */
export const headerOf = ({ env, req }: Context<AppEnv>, name: string): string | undefined =>
  env?.incoming ? env.incoming.headers[name]?.toString() : req.header(name)

/** Maximum size of a request body in bytes. */
const BODY_LIMIT = 1024 * 1024

type Body = { json: unknown } | { issue: ValidationIssue } | 'too_large' | 'unsupported_encoding'

/**
 * Reads a JSON body of at most `BODY_LIMIT` bytes. Bytes that are not UTF-8 are an error, not U+FFFD. A compressed body
 * is rejected: 1 MiB of gzip can expand to 1 GiB.
 *
 * Reads Node's stream in one promise. Hono's `arrayBuffer()` takes 9 % more processor time of POST /teams, measured for
 * the whole server.
 */
export function readJson(c: Context<AppEnv>): Promise<Body> {
  const { promise, resolve } = Promise.withResolvers<Body>()
  if (!isIdentity(headerOf(c, 'content-encoding'))) resolve('unsupported_encoding')
  else if (Number(headerOf(c, 'content-length')) > BODY_LIMIT) resolve('too_large')
  else {
    const chunks: Uint8Array[] = []
    let size = 0
    const stream = c.env?.incoming ?? Readable.from(c.req.raw.body ?? [])
    stream.on('data', (chunk: Uint8Array) => {
      size += chunk.byteLength
      if (size > BODY_LIMIT) resolve('too_large')
      else chunks.push(chunk)
    })
    const onEnd = () => resolve(parse(Buffer.concat(chunks), c.req.header('content-type')))
    if (stream.readableEnded) onEnd() // without Content-Length and Transfer-Encoding, there is no body and no event
    stream.on('end', onEnd)
    // Reading fails only when the client disconnects. Then no client reads the response, and there is no error to log.
    stream.on('error', () => resolve(invalid('json_invalid', 'Body is incomplete')))
  }
  return promise
}

function parse(bytes: Uint8Array, type: string | undefined): Body {
  if (bytes.byteLength === 0) return invalid('missing', 'Field required')
  if (!isJson(type)) {
    return invalid('model_attributes_type', 'Input should be sent with the content type application/json')
  }
  try {
    return { json: JSON.parse(utf8.decode(bytes)) }
  } catch {
    return invalid('json_invalid', 'JSON decode error')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

const isJson = (type = '') => /^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)

const isIdentity = (encoding = '') => /^(?:identity)?$/i.test(encoding)

const invalid = (type: string, msg: string) => ({ issue: { type, loc: ['body'], msg } })
