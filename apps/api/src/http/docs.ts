import { readFileSync } from 'node:fs'
import type { HonoRequest } from 'hono'
import type { Endpoint } from './env.ts'
import { type ApiDescription, openApiDocument } from './openapi.ts'
import { respond } from './response.ts'
import type { Route } from './route.ts'

/** The URL of the service in the document, which is replaced by the URL that the client has used. */
const LOCAL = 'http://127.0.0.1:3000'

/** Serves the document at /openapi.json, and Swagger UI at /docs, with local files that need no internet. */
export function docsEndpoints(api: ApiDescription, routes: readonly Route[]): Endpoint[] {
  const document = `${JSON.stringify(openApiDocument(api, routes, LOCAL), null, 2)}\n`
  const get = (path: string, handle: Endpoint['handle']): Endpoint => ({ method: 'get', path, handle })
  const redirect = (path: string, location: string) => get(path, (c) => respond(c, 302, null, { location }))
  const file = (name: string, type: string, content: string | Uint8Array<ArrayBuffer> = readFile(name)) =>
    get(`/docs/swagger-ui-dist/${name}`, (c) =>
      respond(c, 200, content, { 'content-type': type, 'cache-control': 'public, max-age=86400' }),
    )
  return [
    get('/openapi.json', (c) =>
      respond(c, 200, document.replace(LOCAL, urlFor(c.req)), { 'content-type': 'application/json' }),
    ),
    get('/docs', (c) => respond(c, 200, pageOf(api.title), PAGE_HEADERS)),
    file('swagger-ui.css', 'text/css; charset=utf-8'),
    file('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    file('start.js', 'text/javascript; charset=utf-8', START),
    redirect('/', 'docs'),
    redirect('/docs/', '../docs'),
  ]
}

const readFile = (name: string) => readFileSync(new URL(import.meta.resolve(`swagger-ui-dist/${name}`)))

/** Returns the URL by which the client has called the service. A proxy with TLS or with a path prefix names both. */
function urlFor(req: HonoRequest): string {
  const { host, protocol } = new URL(req.url)
  const scheme = req.header('x-forwarded-proto') === 'https' ? 'https:' : protocol
  const [prefix = ''] = /^(?:\/[\w.-]+)+$/.exec(req.header('x-forwarded-prefix') ?? '') ?? []
  return `${scheme}//${host}${prefix}`
}

/** Lets the page run only the scripts of this server, and send requests only to it. Swagger UI sets style attributes. */
const PAGE_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
}

/** Links are relative, so the page works behind a proxy that adds a prefix. */
const pageOf = (title: string) => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}: API documentation</title>
<link rel="stylesheet" href="docs/swagger-ui-dist/swagger-ui.css">
<div id="swagger-ui"></div>
<script src="docs/swagger-ui-dist/swagger-ui-bundle.js"></script>
<script src="docs/swagger-ui-dist/start.js"></script>
</html>
`

/** Sends requests whose parameters do not match their patterns, too, so that the message of the service is seen. */
const START = `
const dark = matchMedia('(prefers-color-scheme: dark)')
document.documentElement.classList.toggle('dark-mode', dark.matches)
const validateParams = () => () => ({ type: 'not_validated' })
SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#swagger-ui',
  showCommonExtensions: true,
  plugins: [{ statePlugins: { spec: { wrapActions: { validateParams } } } }],
})
`
