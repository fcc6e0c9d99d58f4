import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { operationsOf } from './support/document.ts'
import { nextPage, pages } from './support/pages.ts'
import { type Listening, listen } from './support/server.ts'

describe.each(['a', 'b'] as const)('the lists of Profile %s', (profile) => {
  let service: Listening
  let lists: { path: string; prefix: string }[]
  beforeAll(async () => {
    service = await listen(profile)
    lists = operationsOf((await service.get('/openapi.json')).json).flatMap(({ path, parameters }) => {
      const after = parameters.find((parameter) => parameter.name === 'after')
      return after ? [{ path, prefix: after.schema['x-typed-id'].prefix }] : []
    })
    for (let n = 0; n < 5; n += 1) {
      for (const path of profile === 'a' ? ['/users', '/teams', '/roles'] : ['/users']) {
        await service.post(path, { name: `Number ${n}`, email: `${n}@example.com`, password: 'x' })
      }
    }
  })
  afterAll(() => service.close())

  test('all take limit and after', () => {
    expect(lists.map((list) => list.path).sort()).toEqual(
      profile === 'a' ? ['/roles', '/teams', '/users'] : ['/users'],
    )
  })

  test.each(['0', '1001', 'abc', '-1', '1.5', '', ' 1', '1e2', '99999999999999999999', 'NaN', '٣'])(
    'refuse limit=%s with 422 at ["query","limit"]',
    async (limit) => {
      for (const { path } of lists) {
        const answer = await service.get(`${path}?limit=${encodeURIComponent(limit)}`)
        expect(answer.status).toBe(422)
        expect(answer.json.detail).toEqual([
          { type: expect.any(String), loc: ['query', 'limit'], msg: expect.any(String) },
        ])
      }
    },
  )

  test('refuse an after of another type, in another form, or that is garbage', async () => {
    const uuid = '0190163d-8694-739b-aea5-966c26f8ad91'
    for (const { path, prefix } of lists) {
      const others = [`order-${uuid}`, `${prefix}_01j0b3v1mmeedtx9cpdgkfhbch`, 'garbage', '', uuid]
      for (const after of others) {
        const answer = await service.get(`${path}?after=${after}`)
        expect(answer).toMatchObject({ status: 422, json: { detail: [{ loc: ['query', 'after'] }] } })
      }
    }
  })

  test('answer both at once when both are wrong', async () => {
    const answer = await service.get('/users?limit=0&after=x')
    expect(answer).toMatchObject({
      status: 422,
      json: { detail: [{ loc: ['query', 'limit'] }, { loc: ['query', 'after'] }] },
    })
  })

  test('come in pages that together are the whole', async () => {
    for (const { path } of lists) {
      const all = (await service.get(path)).json
      expect(all).toHaveLength(5)
      for (const limit of [1, 2, 4, 5, 6, 1000]) {
        const sizes = []
        const items = []
        for await (const page of pages(service, `${path}?limit=${limit}`)) {
          sizes.push(page.length)
          items.push(...page)
        }
        expect(items).toEqual(all)
        expect(sizes).toEqual(
          Array.from({ length: Math.ceil(5 / limit) }, (_, n) => Math.min(limit, 5 - n * limit)),
        )
      }
    }
  })

  test('link to the next page only where there is one, and only with limit', async () => {
    for (const { path } of lists) {
      const linkOf = async (query: string) => nextPage((await service.get(`${path}${query}`)).headers)
      const all = (await service.get(path)).json
      expect(await linkOf('')).toBeUndefined()
      expect(await linkOf('?limit=5')).toBeUndefined()
      expect(await linkOf(`?after=${all[0].id}`)).toBeUndefined()
      expect(await linkOf('?limit=3')).toBe(`${path}?limit=3&after=${all[2].id}`)
      expect(await linkOf(`?limit=3&after=${all[1].id}`)).toBeUndefined()
    }
  })

  test('keep the filter in the link', async () => {
    const team = (await service.post('/teams', { name: 'x' })).json
    for (let n = 0; n < 2; n += 1) {
      await service.post('/users', { name: 'x', email: `m${n}@example.com`, password: 'x', team_id: team.id })
    }
    const answer = await service.get(`/users?team_id=${team.id}&limit=1`)
    const next = new URL(nextPage(answer.headers) ?? '', service.url)
    expect(next.searchParams.get('team_id')).toBe(team.id)
    expect(next.searchParams.get('after')).toBe(answer.json[0].id)
  })
})
