import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { globSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { launchBrowser, tryItOut } from '../support/browser.ts'
import { freePorts } from '../support/ports.ts'
import { startServiceForTest } from '../support/service-process.ts'

/** The port of the proxy, the port of the service, and a folder for files of the proxy. */
interface Setting {
  readonly port: number
  readonly target: number
  readonly folder: string
}

interface Proxy {
  readonly program: string
  readonly debianPackage: string
  /** The program runs in the foreground with these arguments. */
  args(file: string, folder: string): string[]
  /** Serves the service at /api/ and nothing else. */
  configure(setting: Setting): string
}

const PROXIES: Record<string, Proxy> = {
  nginx: {
    program: '/usr/sbin/nginx',
    debianPackage: 'nginx-light',
    args: (file, folder) => ['-c', file, '-p', folder, '-e', 'stderr'],
    configure: ({ port, target, folder }) => `
daemon off;
master_process off;
pid ${folder}/nginx.pid;
error_log stderr;
events {}
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  server {
    listen 127.0.0.1:${port};
    location /api/ {
      proxy_pass http://127.0.0.1:${target}/;
    }
  }
}
`,
  },
  Caddy: {
    program: '/usr/bin/caddy',
    debianPackage: 'caddy',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    configure: ({ port, target }) => `
{
  admin off
  auto_https off
}
http://127.0.0.1:${port} {
  handle_path /api/* {
    reverse_proxy 127.0.0.1:${target}
  }
  handle {
    respond 404
  }
}
`,
  },
  HAProxy: {
    program: '/usr/sbin/haproxy',
    debianPackage: 'haproxy',
    args: (file) => ['-db', '-f', file],
    configure: ({ port, target }) => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend front
  bind 127.0.0.1:${port}
  http-request deny deny_status 404 unless { path_beg /api/ }
  http-request replace-path /api/(.*) /\\1
  default_backend service
backend service
  server service 127.0.0.1:${target}
`,
  },
}

/** Starts a proxy in front of the service, and waits until it listens. It ends with the test. */
async function startProxy(
  { program, debianPackage, args, configure }: Proxy,
  target: number,
): Promise<string> {
  if (globSync(program).length === 0)
    throw new Error(`${program} not found: apt-get install ${debianPackage}`)
  const folder = await mkdtemp(join(tmpdir(), 'api-proxy-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const [port = 0] = await freePorts(1)
  const file = join(folder, 'proxy.conf')
  await writeFile(file, configure({ port, target, folder }))
  const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder }
  const child = spawn(program, args(file, folder), { env, stdio: ['ignore', 'ignore', 'pipe'] })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const exited = once(child, 'exit')
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await exited
  })
  const url = `http://127.0.0.1:${port}`
  const status = () =>
    fetch(`${url}/api/healthz`).then(
      (response) => response.status,
      () => `no response: ${stderr}`,
    )
  await expect.poll(status, { timeout: 10_000 }).toBe(200)
  return url
}

test.for(Object.keys(PROXIES))('the documentation works behind %s at the prefix /api/', async (name) => {
  const service = await startServiceForTest({ DATABASE_URL: 'sqlite::memory:' })
  const proxy = await startProxy(PROXIES[name] as Proxy, Number(new URL(service.url).port))
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
