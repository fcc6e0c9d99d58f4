import { operationsOf } from 'testkit/document.ts'
import { describe, expect, test } from 'vitest'
import { servedDocument } from '../../openapi/documents.ts'
import { listen } from '../support/listen.ts'

describe.each(['a', 'b'] as const)('Profile %s behind a path prefix', (profile) => {
  test('names a server that is the folder of the document', async () => {
    const { servers } = JSON.parse(await servedDocument(profile))
    expect(servers).toHaveLength(1)
    const resolve = (base: string) => new URL(servers[0].url, base).pathname
    expect(resolve('http://proxy/api/openapi.json')).toBe('/api/')
    expect(resolve('http://proxy/openapi.json')).toBe('/')
  })

  test('links to the next page by a reference that keeps the prefix and the documented parameters', async () => {
    const service = await listen(profile)
    try {
      for (const name of ['a', 'b', 'c']) {
        await service.post('/users', { name, email: `${name}@example.com`, password: 'secret' })
      }
      const [first, second] = (await service.get('/users')).json
      const { headers } = await service.get(`/users?limit=1&colour=a%20b%26c&limit=3&after=${first.id}`)
      const [, reference = ''] = /^<([^>]+)>; rel="next"$/.exec(headers.get('link') ?? '') ?? []
      const next = new URL(reference, 'http://proxy/api/users?limit=1')
      expect(next.pathname).toBe('/api/users')
      // Anything else that a client sends, or sends again, would come back in a header, up to three times as long.
      expect([...next.searchParams]).toEqual([
        ['limit', '1'],
        ['after', second.id],
      ])
      expect((await service.get(`/users${next.search}`)).json).toMatchObject([{ name: 'c' }])
    } finally {
      await service.close()
    }
  })

  test('documents an example of Link that is a relative reference', async () => {
    const lists = operationsOf(JSON.parse(await servedDocument(profile))).flatMap(
      ({ responses }) => responses[200]?.headers.Link ?? [],
    )
    expect(lists.length).toBeGreaterThan(0)
    for (const { schema } of lists)
      expect(schema.example).toMatch(/^<\?limit=10&after=\w+-[^>]+>; rel="next"$/)
  })
})
