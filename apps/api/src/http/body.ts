import type { HonoRequest } from 'hono'
import type { ValidationIssue } from './validation.ts'

/** Maximum size of a request body in bytes. */
const BODY_LIMIT = 1024 * 1024

type Body = { json: unknown } | { issue: ValidationIssue } | 'too_large' | 'unsupported_encoding'

/**
 * Reads a JSON body of at most `BODY_LIMIT` bytes. Bytes that are not UTF-8 are an error, not U+FFFD. A compressed body
 * is rejected: 1 MiB of gzip can expand to 1 GiB.
 */
export async function readJson(request: HonoRequest): Promise<Body> {
  if (!isIdentity(request.header('content-encoding'))) return 'unsupported_encoding'
  // Reading fails only when the client disconnects. Then no client reads the response, and there is no error to log.
  const bytes = await readBytes(request).catch(() => 'incomplete' as const)
  if (bytes === 'too_large') return bytes
  if (bytes === 'incomplete') return invalid('json_invalid', 'Body is incomplete')
  if (bytes.byteLength === 0) return invalid('missing', 'Field required')
  if (!isJson(request.header('content-type'))) {
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

async function readBytes(request: HonoRequest): Promise<ArrayBuffer | Uint8Array | 'too_large'> {
  const length = request.header('content-length')
  // Node ends the body at its Content-Length, so the fast path cannot exceed the limit.
  if (length !== undefined) return Number(length) > BODY_LIMIT ? 'too_large' : request.arrayBuffer()

  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.raw.body ?? []) {
    size += chunk.byteLength
    if (size > BODY_LIMIT) return 'too_large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
