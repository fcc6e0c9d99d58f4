import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import { UnavailableError } from '../errors.ts'
import type { Endpoint } from './mount.ts'

const compressBrotli = promisify(brotliCompress)

/** Brotli's default quality, 11, takes 3 s for the 1.4 MB of Swagger UI. Quality 5 takes 50 ms and is a tenth larger. */
const BROTLI_OPTIONS = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }

/** Encodings in the order of preference. */
const ENCODERS = {
  br: (content: Uint8Array) => compressBrotli(content, BROTLI_OPTIONS),
  gzip: promisify(gzip),
} as const

/**
 * Creates an endpoint that serves a file of a package. The file is read and compressed at the first request. Memory
 * contains one copy, however many clients read it at the same time. A client that has the current file receives 304.
 */
export function staticFileEndpoint(path: string, file: URL, contentType: string): Endpoint {
  let loading: ReturnType<typeof readStaticFile> | undefined
  const load = () => {
    loading ??= readStaticFile(file).catch((error) => {
      loading = undefined // so that the next request reads the file again
      const isOutOfFiles = /^E[MN]FILE$/.test(error.code)
      throw isOutOfFiles ? new UnavailableError('too many open files', { cause: error }) : error
    })
    return loading
  }
  return {
    method: 'get',
    path,
    async handle({ req: request }) {
      const { etag, bodies } = await load()
      const encoding = chooseEncoding(request.header('accept-encoding') ?? '')
      const headers = {
        'content-type': contentType,
        'cache-control': 'public, max-age=86400',
        vary: 'Accept-Encoding',
        etag,
      }
      if (hasMatch(request.header('if-none-match'), etag)) return { status: 304, body: null, headers }
      const body = bodies.get(encoding) as Uint8Array
      return {
        status: 200,
        body,
        headers: encoding === 'identity' ? headers : { ...headers, 'content-encoding': encoding },
      }
    },
  }
}

/** Returns the tag of a file, and its bytes by content encoding. */
async function readStaticFile(file: URL) {
  const content = await readFile(file)
  const bodies = new Map<string, Uint8Array>([['identity', content]])
  for (const [encoding, encode] of Object.entries(ENCODERS)) bodies.set(encoding, await encode(content))
  // A weak tag, because it is the same for every encoding of the content (RFC 9110, section 8.8.1).
  return { etag: `W/"${createHash('sha256').update(content).digest('base64url')}"`, bodies }
}

/** Returns whether If-None-Match, `*` or a list, contains the tag. Weak and strong tags match (RFC 9110, 13.1.2). */
function hasMatch(condition = '', etag: string): boolean {
  const tags: readonly string[] = condition.match(/"[^"]*"/g) ?? []
  return condition.trim() === '*' || tags.includes(etag.replace('W/', ''))
}

/** Returns the first encoding that the client accepts. `q=0` excludes an encoding. */
function chooseEncoding(accepted: string): string {
  const names = accepted
    .split(',')
    .filter((part) => !/;\s*q=0(\.0*)?\s*$/i.test(part))
    .map((part) => (part.split(';')[0] ?? '').trim().toLowerCase())
  return Object.keys(ENCODERS).find((encoding) => names.includes(encoding)) ?? 'identity'
}
