import type { Document } from 'testkit/document.ts'
import { describe, expect, test } from 'vitest'
import type { ProfileName } from '../../src/composition/variables.ts'
import { UserId } from '../../src/ids.ts'
import { walkContract } from '../support/contract.ts'
import { startInMemory } from '../support/http-fixture.ts'

const startStrict = (profile: ProfileName = 'a') => startInMemory(profile, { strict: true })

const extra = (...loc: string[]) => ({
  type: 'extra_forbidden',
  loc,
  msg: 'Extra inputs are not permitted',
})

describe('STRICT=1', () => {
  test('rejects an unknown query parameter with 422 extra_forbidden', async () => {
    const service = await startStrict()
    const { status, json } = await service.get('/users?teamid=x')
    expect({ status, json }).toEqual({ status: 422, json: { detail: [extra('query', 'teamid')] } })
    expect((await service.post('/teams?dry_run=1', { name: 'x' })).json).toEqual({
      detail: [extra('query', 'dry_run')],
    })
    expect((await service.get(`/users/${UserId.example}?full`)).json).toEqual({
      detail: [extra('query', 'full')],
    })
    expect((await service.get('/teams')).json).toEqual([])
  })

  test('rejects an unknown field of a body with 422 extra_forbidden', async () => {
    const service = await startStrict()
    const user = { email: 'ada@example.com', name: 'Ada', password: 'secret' }
    const { id } = (await service.post('/users', user)).json
    const { status, json } = await service.patch(`/users/${id}`, { email: 'other@example.com' })
    expect({ status, json }).toEqual({ status: 422, json: { detail: [extra('body', 'email')] } })
  })

  test('reports unknown input after invalid fields, and __proto__ too', async () => {
    const service = await startStrict()
    const { json } = await service.request('/teams?x=1', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"a":1,"name":7,"__proto__":{},"toString":1}',
    })
    expect(json.detail).toEqual([
      extra('query', 'x'),
      { type: 'string_type', loc: ['body', 'name'], msg: 'Input should be a valid string' },
      extra('body', 'a'),
      extra('body', '__proto__'),
      extra('body', 'toString'),
    ])
  })

  test('reports at most 100 unknown names for each part of the request', async () => {
    const service = await startStrict()
    const names = Array.from({ length: 20_000 }, (_, n) => [`f${n}`, 0])
    const { json } = await service.post('/teams', { name: 'x', ...Object.fromEntries(names) })
    expect(json.detail).toHaveLength(100)
  })

  test('logs no unknown name, which can be any text', async () => {
    const service = await startStrict()
    await service.post('/teams?hunter2=1', { name: 'x', hunter2: 1, hunter22: 2 })
    expect(JSON.parse(service.logLines.at(-1) ?? '')).toMatchObject({
      status: 422,
      locs: [
        ['query', '(unknown)'],
        ['body', '(unknown)'],
      ],
    })
    expect(service.logLines.join()).not.toContain('hunter2')
  })

  test('does not change the documentation and the health checks, which ignore the query', async () => {
    const service = await startStrict()
    for (const path of ['/healthz?x=1', '/readyz?x=1', '/openapi.json?x=1', '/docs?x=1'])
      expect((await service.get(path)).status, path).toBe(200)
  })

  test.each(['a', 'b'] as const)('keeps to the document that Profile %s then serves', async (profile) => {
    const service = await startStrict(profile)
    const document: Document = (await service.get('/openapi.json')).json
    const bodies = Object.entries(document.components.schemas).filter(([name]) =>
      /(Create|Update)$/.test(name),
    )
    expect(bodies.length).toBeGreaterThan(2)
    for (const [, schema] of bodies) expect(schema.additionalProperties).toBe(false)
    expect((await walkContract(document, service.fetch, 30, 20260101)).violations).toEqual([])
  })
})

test('without STRICT, unknown parameters and fields are ignored', async () => {
  const service = await startInMemory('a')
  expect(await service.get('/users?teamid=x')).toMatchObject({ status: 200 })
  expect(await service.post('/teams', { name: 'x', extra: 1 })).toMatchObject({ status: 201 })
  const document: Document = (await service.get('/openapi.json')).json
  expect(JSON.stringify(document.components.schemas)).not.toContain('additionalProperties')
})
