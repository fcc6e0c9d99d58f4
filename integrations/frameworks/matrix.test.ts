import { globSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { beforeAll, describe, expect, test } from 'vitest'
import { ID_CASES, UserId } from '../ids.ts'
import { type Client, OPEN } from './open.ts'

const ROOT = join(import.meta.dirname, '..')
const RECIPES = globSync('{frameworks,validators}/*/recipe.ts', { cwd: ROOT })

const REJECTIONS: Record<string, string> = {
  elysia: 'status 422',
  mcp: 'error -32602',
}

const VALIDATORS = {
  arktype: 'TraversalError',
  effect: 'SchemaError',
  typebox: 'ParseError',
  valibot: 'ValiError',
}

describe.each(Object.entries(OPEN))('%s', (name, open) => {
  const rejection = REJECTIONS[name] ?? 'status 400'
  let client: Client
  beforeAll(async () => {
    client = await open()
    return () => client.close?.()
  })

  for (const [title, id] of Object.entries(ID_CASES))
    test(title, async () => {
      expect(await client.find(id)).toEqual(
        id === ID_CASES['right id'] ? { id } : { error: rejection },
      )
    })

  test('generates an id', async () => {
    const ids = [await client.create(), await client.create()]
    expect(ids.filter(UserId.is)).toHaveLength(2)
    expect(ids[0]).not.toBe(ids[1])
  })

  test('documents the pattern and an example', async () => {
    const document = await client.document()
    expect(document).toContain(UserId.pattern)
    // @fastify/swagger drops `examples`.
    if (name !== 'fastify') expect(document).toContain(UserId.example)
  })
})

test('express responds with the message of the parser in production, too', async () => {
  const { app } = await import('./express/recipe.ts')
  app.set('env', 'production')
  const { request, close } = (await OPEN.express()) as Required<Client>
  const response = await request('/users/user-1')
  await close()
  expect(await response.text()).toContain('not a valid user id')
})

test('NestJS validates and documents a DTO', async () => {
  const { request, close } = (await OPEN.nestjs()) as Required<Client>
  const headers = { 'content-type': 'application/json' }
  const invite = (invited_by: string) => {
    const body = JSON.stringify({ invited_by })
    return request('/users/invitations', { method: 'POST', headers, body })
  }
  expect(await (await invite(UserId.example)).json()).toEqual({
    id: UserId.example,
  })
  const rejected = await invite(ID_CASES['wrong type'])
  expect([rejected.status, await rejected.text()]).toEqual([
    400,
    expect.stringContaining('no user id'),
  ])
  const document = await (await request('/openapi.json')).json()
  const { invited_by } = document.components.schemas.Invitation.properties
  const { pattern, example } = UserId
  expect(invited_by).toMatchObject({ pattern, example })
  await close()
})

test('a route of Hono takes the pattern of an id without its anchors', async () => {
  const app = new Hono().get(
    `/items/:id{${UserId.pattern.slice(1, -1)}}`,
    (c) => c.body(null),
  )
  for (const [title, id] of Object.entries(ID_CASES))
    expect((await app.request(`/items/${id}`)).status).toBe(
      title === 'right id' ? 200 : 404,
    )
})

test('tRPC accepts an id type as an input parser', async () => {
  const { router } = await import('./trpc/recipe.ts')
  const { findUndocumented } = router.createCaller({})
  for (const [title, id] of Object.entries(ID_CASES))
    if (title === 'right id')
      expect(await findUndocumented(id as UserId)).toEqual({ id })
    else
      await expect(findUndocumented(id as UserId)).rejects.toMatchObject({
        code: 'BAD_REQUEST',
      })
})

describe.each(Object.entries(VALIDATORS))('%s', async (name, rejection) => {
  const validator = await import(join(ROOT, 'validators', name, 'recipe.ts'))

  function parse(body: unknown): unknown {
    try {
      return validator.parse(body)
    } catch (error) {
      return { error: (error as Error).constructor.name }
    }
  }

  for (const [title, id] of Object.entries({ ...ID_CASES, number: 1 }))
    test(title, () => {
      const body = { user_id: id }
      expect(parse(body)).toEqual(
        id === ID_CASES['right id'] ? body : { error: rejection },
      )
    })

  test('emits a JSON Schema with the pattern and an example', () => {
    const { pattern, example } = UserId
    expect(validator.describe().properties.user_id).toMatchObject({
      type: 'string',
      pattern,
      examples: [example],
    })
  })
})

test('every recipe of the pages is tested', () => {
  const tested = [
    ...['graphql', ...Object.keys(OPEN)].map(
      (name) => `frameworks/${name}/recipe.ts`,
    ),
    ...Object.keys(VALIDATORS).map((name) => `validators/${name}/recipe.ts`),
  ]
  expect(RECIPES.sort()).toEqual(tested.sort())
})
