import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { listenLocally } from './sockets.ts'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/**
 * Serves a folder on a local port, with compression as on hosts of static
 * files.
 *
 * @param base the path of the folder, with a slash at both ends; any other path
 * returns 404
 */
export async function serve(
  folder: string,
  base: string,
): Promise<{ url: string; close: () => void }> {
  const compressed = new Map<string, Buffer>()
  const server = createServer(({ url = '' }, response) => {
    const path = decodeURIComponent(new URL(url, 'http://localhost').pathname)
    const file = join(
      folder,
      path.slice(base.length),
      path.endsWith('/') ? 'index.html' : '',
    )
    if (
      !path.startsWith(base) ||
      !existsSync(file) ||
      !statSync(file).isFile()
    ) {
      response.writeHead(404, { 'content-type': 'text/plain' }).end('not found')
      return
    }
    const body =
      compressed.get(file) ?? gzipSync(readFileSync(file), { level: 9 })
    compressed.set(file, body)
    response.writeHead(200, {
      'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
      'content-encoding': 'gzip',
      'content-length': body.length,
      'cache-control': 'max-age=600',
    })
    response.end(body)
  })
  return {
    url: `http://127.0.0.1:${await listenLocally(server)}${base}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}
