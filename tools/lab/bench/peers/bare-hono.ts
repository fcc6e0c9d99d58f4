import { serve } from '@hono/node-server'
import { Hono } from 'hono'

/** The lower limit of the platform's cost. Returns a constant JSON body of 300 bytes for every path. */
const body = JSON.stringify({ pad: 'x'.repeat(300 - '{"pad":""}'.length) })
const app = new Hono().all('*', (c) => c.body(body, 200, { 'content-type': 'application/json' }))

serve({
  fetch: app.fetch,
  port: Number(process.env.PORT),
  hostname: '127.0.0.1',
  serverOptions: { optimizeEmptyRequests: true },
})
