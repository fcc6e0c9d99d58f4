import { launchBrowser, tryItOut } from 'testkit/browser.ts'
import { startHaproxy } from 'testkit/reverse-proxy.ts'
import { startServiceForTest } from 'testkit/service-process.ts'
import { expect, onTestFinished, test } from 'vitest'

/** Serves the service at /api/ and nothing else, with the lines that the page about proxies has. */
const CONFIGURATION = `
defaults
  mode http
  timeout connect 5s
  timeout client 1m
  timeout server 1m
frontend public
  bind "\${LISTEN}"
  http-request deny deny_status 404 unless { path_beg /api/ }
  http-request replace-path /api/(.*) /\\1
  http-request set-header X-Forwarded-Prefix /api
  default_backend service
backend service
  server instance "\${SERVER_1}"
`

test('the documentation works behind a proxy at the prefix /api/', async () => {
  const service = await startServiceForTest({ DATABASE_URL: 'sqlite::memory:' })
  const { url: proxy } = await startHaproxy(CONFIGURATION, [new URL(service.url).host], '/api/healthz')
  expect((await fetch(`${proxy}/teams`)).status).toBe(404)
  const browser = await launchBrowser()
  onTestFinished(() => browser.close())
  const page = await browser.newPage()
  const requests: string[] = []
  const problems: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))

  for (const entrance of ['/api/', '/api/docs/', '/api/docs']) {
    await page.goto(proxy + entrance)
    await page.waitForSelector('.opblock')
    expect(new URL(page.url()).pathname).toBe('/api/docs')
  }

  const first = await tryItOut(page, 'createTeam')
  expect(first).toMatchObject({ url: `${proxy}/api/teams`, status: 201 })
  const second = await tryItOut(page, 'createTeam', { body: { name: 'Second' } })
  expect(second.status).toBe(201)
  const list = await tryItOut(page, 'listTeams', { parameters: { limit: '1' } })
  expect(list).toMatchObject({ status: 200, json: [first.json] })

  // A browser resolves the reference of Link as RFC 3986 says, and the page behind the prefix has the second team.
  const next = await page.evaluate(async (url) => {
    const response = await fetch(url)
    const [, reference = ''] = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '') ?? []
    const nextUrl = new URL(reference, response.url).href
    return { url: nextUrl, json: await (await fetch(nextUrl)).json() }
  }, list.url)
  expect(next).toEqual({ url: `${proxy}/api/teams?limit=1&after=${first.json.id}`, json: [second.json] })

  expect(requests.filter((url) => !url.startsWith('data:') && !url.startsWith(`${proxy}/api/`))).toEqual([])
  expect(problems).toEqual([])
})
