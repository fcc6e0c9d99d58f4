import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { SwaggerUI } from '@hono/swagger-ui'
import { Hono, type HonoRequest } from 'hono'
import { type ApiDescription, openApiDocument } from './openapi.ts'
import type { DeclaredRoute } from './routes.ts'

const PLACEHOLDER_URL = 'http://127.0.0.1:3000'

const JSON_TYPE = { 'content-type': 'application/json' }

export function docs(api: ApiDescription, routes: readonly DeclaredRoute[]) {
  const document = `${JSON.stringify(openApiDocument(api, routes, PLACEHOLDER_URL), null, 2)}\n`
  const page = docsPage(api.title)
  const pageHeaders = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': contentSecurityPolicy(page),
    'referrer-policy': 'no-referrer',
  }
  const app = new Hono()
    .get('/openapi.json', (c) =>
      c.body(
        document.replace(PLACEHOLDER_URL, () => urlFor(c.req)),
        200,
        JSON_TYPE,
      ),
    )
    .get('/docs', (c) => c.body(page, 200, pageHeaders))
    .get('/', (c) => c.redirect('docs'))
    .get('/docs/', (c) => c.redirect('../docs'))
  for (const [name, type] of [
    ['swagger-ui.css', 'text/css'],
    ['swagger-ui-bundle.js', 'text/javascript'],
  ]) {
    const content = readFileSync(
      new URL(import.meta.resolve(`swagger-ui-dist/${name}`)),
    )
    const headers = {
      'content-type': `${type}; charset=utf-8`,
      'cache-control': 'public, max-age=86400',
    }
    app.get(`/docs/swagger-ui-dist/${name}`, (c) =>
      c.body(content, 200, headers),
    )
  }
  return app
}

function urlFor(req: HonoRequest): string {
  const { host, protocol } = new URL(req.url)
  // In a chain of proxies, the first scheme is the scheme of the client.
  const scheme = /^https(?:\s*,|$)/i.test(req.header('x-forwarded-proto') ?? '')
    ? 'https:'
    : protocol
  const [prefix = ''] =
    /^(?:\/(?!\.\.?(?:\/|$))[\w.-]+)+$/.exec(
      req.header('x-forwarded-prefix') ?? '',
    ) ?? []
  return `${scheme}//${host}${prefix}`
}

/**
 * Selects text that Swagger UI shows in a grey with a contrast under 4.5 : 1
 * (WCAG), so that the page can replace the grey.
 */
const GREY =
  '.swagger-ui :is(.url, .link, .parameter__in, .parameter__extension, .header-col, .header-example, .json-schema-2020-12-expand-deep-button)'

const STYLE = `
.scheme-container { display: none }
body .swagger-ui .info { margin: 30px 0 10px }
body .swagger-ui .parameters-col_description input { width: 30em; max-width: 100% }
@media (width > 480px) { body .swagger-ui .info code { white-space: nowrap } }
body .swagger-ui .headers .header-col { padding-right: 1em }
body .swagger-ui .headers .header-col:first-child { white-space: nowrap }
.swagger-ui :is(.opblock-summary-method, .version, .version-stamp, .btn.execute) { background: #3b4151 !important; color: #fff !important; text-shadow: none !important }
${GREY} { color: #3b4151 !important }
.swagger-ui .btn.cancel { color: #b3261e !important }
html.dark-mode .swagger-ui .btn.cancel { color: #ff9c94 !important }
html.dark-mode ${GREY} { color: #e4e6e6 !important }
.swagger-ui .view-line-link button { min-width: 24px; min-height: 24px }
body .swagger-ui .opblock .opblock-summary .view-line-link { width: 24px; margin: 0 5px }
`

const DARK = `
const dark = matchMedia('(prefers-color-scheme: dark)')
const select = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', select)
select()
`

const ACCESSIBILITY = `
const attributes = [
  ['h3', 'aria-level', () => 2],
  ['h4', 'aria-level', () => 3],
  ['.examples-select-element', 'aria-label', () => 'Example'],
  ['textarea', 'aria-label', () => 'Request body'],
  ['.microlight', 'tabindex', () => 0],
  ['.information-container', 'role', () => 'region'],
  ['.information-container', 'aria-label', () => 'Description'],
  ['.responses-table[role]', 'aria-label', ({ id }) => id.replaceAll('_', ' ')],
]
new MutationObserver(() => {
  for (const [selector, name, valueOf] of attributes)
    for (const element of document.querySelectorAll(selector + ':not([' + name + '])')) element.setAttribute(name, valueOf(element))
}).observe(document, { childList: true, subtree: true })
`

/**
 * Turns off validation in Swagger UI, so that users see the errors of the
 * service.
 */
const UNCHECKED =
  '{ statePlugins: { spec: { wrapActions: { validateParams: () => () => ({ type: "unchecked" }) } } } }'

/** Relative URLs also work behind a proxy that adds a prefix to the path. */
const docsPage = (title: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}: API documentation</title>
<style>${STYLE}</style>
<script>${DARK}${ACCESSIBILITY}</script>
</head>
<body>${SwaggerUI({ url: 'openapi.json', baseUrl: 'docs', showCommonExtensions: true, plugins: [UNCHECKED] })}</body>
</html>
`

function contentSecurityPolicy(page: string): string {
  const scripts = [...page.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(
    ([, script = '']) =>
      `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
  )
  // Swagger UI sets style attributes, for which CSP requires `unsafe-inline`.
  return `default-src 'none'; script-src 'self' ${scripts.join(' ')}; style-src 'self' 'unsafe-inline'; \
img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}
