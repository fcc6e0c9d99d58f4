import { createHash } from 'node:crypto'
import { SwaggerUI } from '@hono/swagger-ui'
import type { Endpoint } from './mount.ts'
import { type ApiDescription, openApiDocument } from './openapi.ts'
import type { Route } from './route.ts'
import { staticFileEndpoint } from './static-file.ts'

/** Serves the document at /openapi.json, and Swagger UI at /docs, with local files that need no internet. */
export function docsEndpoints(api: ApiDescription, routes: readonly Route[]): Endpoint[] {
  const document = `${JSON.stringify(openApiDocument(api, routes), null, 2)}\n`
  const page = docsPage(`${api.title}: API documentation`)
  return [
    get('/openapi.json', document, { 'content-type': 'application/json' }),
    get('/docs', page, { 'content-type': 'text/html; charset=utf-8', ...secureHeaders(page) }),
    file('swagger-ui.css', 'text/css; charset=utf-8'),
    file('swagger-ui-bundle.js', 'text/javascript; charset=utf-8'),
    redirect('/', 'docs'),
    redirect('/docs/', '../docs'),
  ]
}

const redirect = (path: string, location: string): Endpoint => ({
  method: 'get',
  path,
  handle: () => ({ status: 302, body: null, headers: { location } }),
})

const get = (path: string, body: string, headers: Record<string, string>): Endpoint => ({
  method: 'get',
  path,
  handle: () => ({ status: 200, body, headers }),
})

const file = (name: string, contentType: string): Endpoint =>
  staticFileEndpoint(
    `/docs/swagger-ui-dist/${name}`,
    new URL(import.meta.resolve(`swagger-ui-dist/${name}`)),
    contentType,
  )

/** Selectors of text whose colours in Swagger UI have a contrast below 4.5 : 1. */
const GREY =
  '.swagger-ui :is(.url, .link, .parameter__in, .parameter__extension, .header-col, .header-example, .json-schema-2020-12-expand-deep-button)'

/**
 * Hides the list of servers, which has a single entry, and the space around it. Prevents line breaks at the hyphens of
 * ids, and adds the missing space after the name of a header.
 */
const STYLE = `
.scheme-container { display: none }
body .swagger-ui .info { margin: 30px 0 10px }
body .swagger-ui .info code { white-space: nowrap }
body .swagger-ui .headers .header-col { padding-right: 1em }
body .swagger-ui .headers .header-col:first-child { white-space: nowrap }
.swagger-ui :is(.opblock-summary-method, .version, .version-stamp, .btn.execute) { background: #3b4151 !important; color: #fff !important; text-shadow: none !important }
${GREY} { color: #3b4151 !important }
.swagger-ui .btn.cancel { color: #b3261e !important }
html.dark-mode .swagger-ui .btn.cancel { color: #ff9c94 !important }
html.dark-mode ${GREY} { color: #e4e6e6 !important }
.swagger-ui .view-line-link button { min-width: 24px; min-height: 24px }
`

/** Selects the dark mode of Swagger UI's style sheet, by a class of the root element. */
const DARK = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const select = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', select)
select()
`

/** Adds attributes that Swagger UI lacks: it has no heading of level 2, and its fields and regions have no names. */
const ATTRIBUTES = `
const attributes = [
  ['h3', 'aria-level', () => 2],
  ['h4', 'aria-level', () => 3],
  ['.examples-select-element', 'aria-label', () => 'Example'],
  ['textarea', 'aria-label', () => 'Request body'],
  ['.information-container', 'role', () => 'region'],
  ['.information-container', 'aria-label', () => 'Description'],
  ['.responses-table[role]', 'aria-label', ({ id }) => id.replaceAll('_', ' ')],
]
new MutationObserver(() => {
  for (const [selector, name, valueOf] of attributes)
    for (const element of document.querySelectorAll(selector + ':not([' + name + '])')) element.setAttribute(name, valueOf(element))
}).observe(document, { childList: true, subtree: true })
`

/** Links are relative, so the page works behind a proxy that adds a prefix. */
const docsPage = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${STYLE}</style>
<script>${DARK}${ATTRIBUTES}</script>
</head>
<body>${SwaggerUI({ url: 'openapi.json', baseUrl: 'docs', showCommonExtensions: true })}</body>
</html>
`

/** Returns a policy that lets the page run only its own scripts, and send requests only to this server. */
function secureHeaders(page: string): Record<string, string> {
  const inline = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)]
  const hashes = inline.map(
    ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  return {
    'content-security-policy': [
      "default-src 'none'",
      `script-src 'self' ${hashes.join(' ')}`,
      "style-src 'self' 'unsafe-inline'", // because Swagger UI sets style attributes
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'referrer-policy': 'no-referrer',
  }
}
