import { servedDocument } from 'api/openapi/documents.ts'
import { operationsOf } from 'testkit/document.ts'
import { describe, expect, test } from 'vitest'
import { createCollection } from './collections.ts'

describe.each(['a', 'b'] as const)('the collection of profile %s', (profile) => {
  test('has every operation, and each of its responses except 503', async () => {
    const requests = [...(await createCollection(profile)).values()].flat()
    for (const { method, path, operationId, responses } of operationsOf(
      JSON.parse(await servedDocument(profile)),
    )) {
      const template = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
      const own = requests.filter((request) => request.method === method && template.test(request.path))
      const asserted = own.flatMap(({ assertions }) => assertions.map(([, expected]) => expected))
      for (const [status, { content }] of Object.entries(responses)) {
        if (status === '503') continue
        expect(asserted, operationId).toContain(`eq ${status}`)
        for (const { value } of Object.values(content?.['application/json'].examples ?? {}))
          expect(asserted, operationId).toContain(`eq ${value.detail}`)
      }
    }
  })
})

test('the collections have over 600 requests', async () => {
  const counts = await Promise.all(
    (['a', 'b'] as const).map(async (name) => [...(await createCollection(name)).values()].flat().length),
  )
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(600)
})
