import { expect, test } from 'vitest'
import { z } from 'zod'
import { route } from '../../src/http/route.ts'
import { PROFILES } from '../../src/profiles.ts'
import { startInMemory } from '../support/http-fixture.ts'

test('unknown query parameters and fields of a body are ignored', async () => {
  const service = await startInMemory('a')
  expect(await service.get('/users?teamid=x')).toMatchObject({ status: 200 })
  expect(await service.post('/teams', { name: 'x', extra: 1 })).toMatchObject({ status: 201 })
})

test('unknown fields of a body that is a strict object are rejected, and documented', async () => {
  const body = z.strictObject({ name: z.string() }).meta({ id: 'StrictCreate' })
  const success = { status: 204, description: 'Stored' } as const
  const strict = route(
    { method: 'post', path: '/strict', id: 'strict', tag: 'teams', summary: 'Store', body, success },
    async () => undefined,
  )
  const service = await startInMemory('a', { profile: { ...PROFILES.a, endpoints: () => [strict] } })
  expect(await service.post('/strict', { name: 'x' })).toMatchObject({ status: 204 })
  expect(await service.post('/strict', { name: 'x', extra: 1 })).toMatchObject({
    status: 422,
    json: { detail: [{ type: 'value_error', loc: ['body'], msg: 'Unrecognized key: "extra"' }] },
  })
  const { components } = (await service.get('/openapi.json')).json
  expect(components.schemas.StrictCreate).toMatchObject({ additionalProperties: false })
})
