import { expect, test } from 'vitest'
import { createApp } from '../src/app.ts'
import { PROFILES } from '../src/config/variables.ts'
import { openDatabase } from '../src/database/open.ts'
import { createLog } from '../src/observability/log.ts'
import { databaseAt } from './support/database.ts'

async function openApi() {
  const profile = PROFILES.a
  const db = await openDatabase(databaseAt('sqlite::memory:'), profile.migrations)
  const app = createApp({ profile, db, log: createLog('silent') })
  // biome-ignore lint/suspicious/noExplicitAny: the tests say what it is.
  const document: any = await (await app.request('/openapi.json')).json()
  return { app, document }
}

test('the document is OpenAPI 3.1 and has every endpoint of the specification', async () => {
  const { document } = await openApi()
  expect(document.openapi).toBe('3.1.0')
  const operations = Object.entries<Record<string, unknown>>(document.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  )
  expect(operations.sort()).toEqual([
    'DELETE /users/{user_id}',
    'GET /roles',
    'GET /teams',
    'GET /teams/{team_id}',
    'GET /users',
    'GET /users/{user_id}',
    'PATCH /users/{user_id}',
    'POST /roles',
    'POST /teams',
    'POST /users',
    'POST /users/{user_id}/roles/{role_id}',
  ])
})

test('every path parameter is a string with a pattern of its type and an example that matches it', async () => {
  const { document } = await openApi()
  let checked = 0
  for (const item of Object.values<Record<string, { parameters?: Parameter[] }>>(document.paths)) {
    for (const { parameters = [] } of Object.values(item)) {
      for (const { name, in: place, required, schema } of parameters) {
        if (place !== 'path') continue
        const prefix = name.replace('_id', '')
        expect(schema).toMatchObject({ type: 'string', 'x-typed-id': { prefix } })
        expect(schema.pattern).toMatch(new RegExp(`^\\^${prefix}-`))
        expect(schema.example).toMatch(new RegExp(schema.pattern))
        expect(required).toBe(true)
        checked += 1
      }
    }
  }
  expect(checked).toBe(6)
})

interface Parameter {
  name: string
  in: string
  required: boolean
  schema: { pattern: string; example: string }
}

test('every status of the specification is documented', async () => {
  const { document } = await openApi()
  const statuses = (path: string, method: string) => Object.keys(document.paths[path][method].responses)
  expect(statuses('/users', 'post')).toEqual(expect.arrayContaining(['201', '400', '404', '413', '422']))
  expect(statuses('/users/{user_id}', 'delete')).toEqual(expect.arrayContaining(['204', '404', '422']))
  expect(statuses('/users/{user_id}/roles/{role_id}', 'post')).toEqual(
    expect.arrayContaining(['200', '404', '422']),
  )
  expect(statuses('/roles', 'post')).toEqual(expect.arrayContaining(['201', '400', '422']))
  expect(statuses('/users', 'get')).toEqual(expect.arrayContaining(['200', '422']))
})

test('/ leads to /docs, which loads nothing from another host', async () => {
  const { app } = await openApi()
  const root = await app.request('/')
  expect(root.status).toBe(302)
  expect(new URL(root.headers.get('location') ?? '', 'http://localhost/').pathname).toBe('/docs')
  const page = await (await app.request('/docs')).text()
  const links = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '')
  expect(links).toHaveLength(3)
  for (const link of links) expect(link).toMatch(/^(data:,|docs\/)/)
  for (const link of links.filter((link) => link.startsWith('docs/'))) {
    const file = await app.request(`/${link}`)
    expect(file.status).toBe(200)
    expect((await file.arrayBuffer()).byteLength).toBeGreaterThan(10_000)
  }
})
