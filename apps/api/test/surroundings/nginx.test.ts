import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { clientAt } from 'testkit/client.ts'
import { REPOSITORY } from 'testkit/documents.ts'
import { databaseForTest, folderForTest } from 'testkit/engines.ts'
import { startServer } from 'testkit/server.ts'
import { startServiceForTest } from 'testkit/service-for-test.ts'
import { freePorts, listenLocally } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import { TeamId } from '../../src/ids.ts'
import { execute } from '../support/released-database.ts'

const PROGRAM = '/usr/sbin/nginx'

const INTEGER_OVERFLOW = 'abs(-9223372036854775807 - 1)'

const page = await readFile(
  new URL('docs/operations/run.md', REPOSITORY),
  'utf8',
)
const [, AS_DOCUMENTED = 'missing'] = /^```nginx\n(.*?)^```$/ms.exec(page) ?? []

async function startNginx(serviceUrl: string, lines: string) {
  const { host } = new URL(serviceUrl)
  const folder = await folderForTest()
  const [port = 0] = await freePorts(1)
  const file = join(folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const configuration = `daemon off;
pid ${folder}/pid;
error_log stderr notice;
events {}
http {
${paths.join('\n')}
access_log off;
upstream typed_id_api { server ${host}; server ${host}; }
server {
  listen 127.0.0.1:${port};
  location / { proxy_pass http://typed_id_api; ${lines} }
}
}`
  await writeFile(file, configuration)
  const nginx = await startServer(
    PROGRAM,
    ['-c', file, '-p', folder, '-e', 'stderr'],
    'start worker process',
  )
  onTestFinished(() => nginx.stop('SIGTERM'))
  return `http://127.0.0.1:${port}`
}

test.skipIf(!existsSync(PROGRAM)).each([
  ['its defaults: HTTP/1.0, and the name of the upstream as Host', ''],
  ['the lines of the page about proxies', AS_DOCUMENTED],
])(
  'behind nginx with %s, requests are served, and a list that fails midway does not look complete',
  async (_, lines) => {
    const DATABASE_URL = await databaseForTest('sqlite-file')
    const service = await startServiceForTest({
      DATABASE_URL,
      ALLOWED_HOSTS: lines === '' ? 'typed_id_api' : '127.0.0.1',
    })
    const proxy = await startNginx(service.url, lines)
    const { post, get } = clientAt(proxy)
    const team = (await post('/teams', { name: 'Engineering' })).json
    expect((await get(`/teams/${team.id}`)).json).toEqual(team)
    for (let n = 0; n < 3; n += 1)
      expect((await get('/teams?limit=1')).json).toEqual([team])

    const ids = TeamId.generateMany(20_000)
    const rows = ids.map((id) => `('${id}', '${'x'.repeat(100)}')`)
    await execute(DATABASE_URL, `insert into teams values ${rows}`)
    expect((await get('/teams')).json).toHaveLength(ids.length + 1)
    await execute(
      DATABASE_URL,
      `alter table teams rename to rows; create view teams as select id,
        iif(id = '${ids.at(-1)}', ${INTEGER_OVERFLOW}, name) as name from rows`,
    )
    const incomplete = { status: 'incomplete' }
    const { status } = await get('/teams').catch(() => incomplete)
    // When the service resets the connection, nginx responds 502, or
    // disconnects if nginx has already sent the headers.
    expect([502, 'incomplete']).toContain(status)
    const aborted = () =>
      service.logLines.filter((line) => line.includes('"response aborted"'))
    await expect.poll(aborted).toHaveLength(1)
  },
)

test.skipIf(!existsSync(PROGRAM))(
  'nginx with these lines repeats no DELETE whose response is lost',
  async () => {
    let requests = 0
    const server = createServer((socket) => {
      requests += 1
      socket.once('data', () => socket.destroy())
    })
    onTestFinished(() => void server.close())
    const url = `http://127.0.0.1:${await listenLocally(server)}`
    const proxy = await startNginx(url, AS_DOCUMENTED)
    expect((await fetch(proxy, { method: 'DELETE' })).status).toBe(502)
    expect(requests).toBe(1)
  },
)
