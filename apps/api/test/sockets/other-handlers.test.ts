import { Hono } from 'hono'
import { sendRaw, statusesIn } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { AppEnv } from '../../src/http/app-env.ts'
import { createLog } from '../../src/observability/log.ts'
import { serve } from '../../src/server/serve.ts'
import { CLOSE, GET, POST, TEAM } from './bytes.ts'

/** An app whose handlers are not endpoints. */
const app = new Hono<AppEnv>()
  .get('/teams', (c) => c.text('alive'))
  .post('/teams', async (c) => {
    const { incoming } = c.env
    switch (c.req.query('body')) {
      case 'cancel':
        await c.req.raw.body?.cancel()
        break
      case 'break':
        for await (const _ of incoming ?? []) break
        break
      case 'destroy':
        incoming?.destroy()
        break
      case 'detach':
        incoming?.pause()
        c.env.outgoing?.once('close', () => incoming?.destroy())
        break
    }
    return c.text('done')
  })

async function start() {
  const { limits } = readConfig({}, '/')
  const address = { port: 0, host: '127.0.0.1' }
  const server = await serve(
    app,
    { ...address, limits, allowedHosts: ['*'] },
    createLog('silent'),
  )
  onTestFinished(server.close)
  return { ...server, port: Number(new URL(server.url).port) }
}

test.for(['cancel', 'break', 'destroy', 'detach', 'ignore'])(
  'a handler may leave the body of a request (%s), and the server continues',
  async (way) => {
    const { port, connections, running } = await start()
    const target = `POST /teams?body=${way} `
    const whole = POST(TEAM).replace('POST /teams ', target)
    const part = whole.slice(0, -1)
    for (const bytes of [whole, whole.repeat(3), part])
      await sendRaw(port, bytes === part ? part : bytes + GET('/x', CLOSE))
    await expect.poll(running).toBe(0)
    await expect.poll(connections).toBe(0)
    const alive = await sendRaw(port, GET('/teams', CLOSE))
    expect(statusesIn(alive)).toEqual([200])
  },
)
