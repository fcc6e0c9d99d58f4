import { servedDocument } from 'api/openapi/documents.ts'
import { operationsOf, resolved } from 'testkit/document.ts'
import { describe, expect, test } from 'vitest'
import { createCollection, FLOWS } from './collections.ts'

describe.each(['a', 'b'] as const)('the collection of profile %s', (profile) => {
  test('has every operation, and each of its responses except 503', async () => {
    const requests = [...(await createCollection(profile)).values()].flat()
    const flows = new Set(Object.values(FLOWS[profile].flows).flat())
    for (const { method, path, operationId, responses } of operationsOf(
      JSON.parse(await servedDocument(profile)),
    )) {
      const template = new RegExp(`^${path.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`)
      const own = requests.filter((request) => request.method === method && template.test(request.path))
      expect(own, operationId).not.toEqual([])
      const asserted = own.flatMap(({ assertions }) => assertions.map(([, expected]) => expected))
      // Checks only operations with a handwritten flow. The contract test covers each status of every operation.
      if (!own.some((request) => flows.has(request))) continue
      for (const [status, { content }] of Object.entries(responses)) {
        if (status === '503') continue
        const missing = `${operationId} has no request that receives ${status}: add it to flows-${profile}.ts`
        expect(asserted, missing).toContain(`eq ${status}`)
        for (const { value } of Object.values(content?.['application/json'].examples ?? {}))
          expect(asserted, `${missing}, with "${value.detail}"`).toContain(`eq ${value.detail}`)
      }
    }
  })

  test('compares the order, the length and the last page of every list, and every error of a body with several', async () => {
    const requests = [...(await createCollection(profile)).values()].flat()
    const document = JSON.parse(await servedDocument(profile))
    for (const { method, path, requestBody, responses } of operationsOf(document)) {
      const own = requests.filter((request) => request.method === method && request.path === path)
      const asserted = own.flatMap(({ assertions }) => assertions.map(([, expected]) => expected)).join('\n')
      if (responses[200]?.content?.['application/json'].schema.type === 'array') {
        expect(asserted, path).toContain('matches {{first_id}}.*{{last_id}}')
        expect(requests, path).toContainEqual(
          expect.objectContaining({
            path: `${path}?limit=100&after={{first_id}}`,
            assertions: expect.arrayContaining([['res.headers.link', 'isUndefined']]),
          }),
        )
      }
      const { required = [] } = resolved(document, requestBody?.content['application/json'].schema ?? {})
      const missing = required.map((name: string) => `body.${name}`).sort()
      if (missing.length > 1) expect(asserted, path).toContain(`eq ${missing.join()}`)
    }
  })

  test('sets every variable before a request uses it', async () => {
    const known = new Set(['run'])
    const unset = new Set<string>()
    for (const request of [...(await createCollection(profile)).values()].flat()) {
      const { sets = {}, ...sent } = request
      for (const [, name = ''] of (sent.script ?? '').matchAll(/setVar\("(\w+)"/g)) known.add(name)
      for (const [, name = ''] of JSON.stringify(sent).matchAll(/\{\{(\w+)\}\}/g))
        if (!known.has(name)) unset.add(name)
      for (const name of Object.keys(sets)) known.add(name)
    }
    const file = `flows-${profile}.ts`
    expect(
      [...unset],
      `a request that creates the record and sets its variable is missing in ${file}`,
    ).toEqual([])
  })
})

test('the collections have over 1,000 requests', async () => {
  const counts = await Promise.all(
    (['a', 'b'] as const).map(async (name) => [...(await createCollection(name)).values()].flat().length),
  )
  expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(1000)
})
