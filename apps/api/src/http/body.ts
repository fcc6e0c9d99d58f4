import type { HonoRequest } from 'hono'
import type { ValidationIssue } from './validation.ts'

export const BODY_LIMIT = 1024 * 1024

type Body = { json: unknown } | { issue: ValidationIssue } | 'too_large'

/** Reads a JSON body of at most `BODY_LIMIT` bytes, exactly: bytes that are not UTF-8 are an error, not U+FFFD. */
export async function readJson(request: HonoRequest): Promise<Body> {
  // What breaks off is the client's doing, and nobody is left who reads the answer: no error to be logged.
  const bytes = await readBytes(request).catch(() => 'broken' as const)
  if (bytes === 'too_large') return bytes
  if (bytes === 'broken') return invalid('json_invalid', 'Body broke off')
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

const invalid = (type: string, msg: string) => ({ issue: { type, loc: ['body'], msg } })

async function readBytes(request: HonoRequest): Promise<ArrayBuffer | Uint8Array | 'too_large'> {
  const announced = request.header('content-length')
  // Node has made sure that no more comes than was announced, so that the fast way is safe.
  if (announced !== undefined) return Number(announced) > BODY_LIMIT ? 'too_large' : request.arrayBuffer()

  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of request.raw.body ?? []) {
    size += chunk.byteLength
    if (size > BODY_LIMIT) return 'too_large'
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
