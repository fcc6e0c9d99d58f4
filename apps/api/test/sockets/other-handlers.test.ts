import { Hono } from 'hono'
import { sendRaw, statusesIn } from 'testkit/sockets.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../../src/config.ts'
import type { AppEnv } from '../../src/http/app-env.ts'
import { createLog } from '../../src/observability/log.ts'
import { serve } from '../../src/server/serve.ts'
import { CLOSE, GET, POST, TEAM } from './bytes.ts'

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
    }
    return c.text('done')
  })

test('a handler may leave the body of a request in any way', async () => {
  const { limits } = readConfig({}, '/')
  const address = { port: 0, host: '127.0.0.1', allowedHosts: ['*'] }
  const log = createLog('silent')
  const server = await serve(app, { ...address, limits }, log)
  onTestFinished(server.close)
  const port = Number(new URL(server.url).port)
  const leave = async (way: string) => {
    const target = `POST /teams?body=${way} `
    const whole = POST(TEAM).replace('POST /teams ', target)
    await sendRaw(port, whole + GET('/x', CLOSE))
    await sendRaw(port, whole.repeat(3) + GET('/x', CLOSE))
    await sendRaw(port, whole.slice(0, -1))
  }
  const ways = ['cancel', 'break', 'destroy', 'detach', 'ignore']
  await Promise.all(ways.map(leave))
  await expect.poll(server.running).toBe(0)
  await expect.poll(server.connections).toBe(0)
  const alive = await sendRaw(port, GET('/teams', CLOSE))
  expect(statusesIn(alive)).toEqual([200])
})
