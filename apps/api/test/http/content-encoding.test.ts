import { gzipSync } from 'node:zlib'
import { operationsOf } from 'testkit/document.ts'
import { expect } from 'vitest'
import { servedDocument } from '../../openapi/documents.ts'
import { test } from '../support/http-fixture.ts'

const BODY = '{"name":"Engineering"}'

test.for(['gzip', 'deflate', 'br', 'zstd', 'GZIP', 'identity, gzip', 'gzip, identity', 'unknown'])(
  'a body with Content-Encoding: %s receives 415, and the response names the encoding that is accepted',
  async (encoding, { service }) => {
    const response = await service.request('/teams', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-encoding': encoding },
      body: gzipSync(BODY),
    })
    expect(response).toMatchObject({
      status: 415,
      json: { detail: 'Content-Encoding must be identity' },
    })
    expect(response.headers.get('accept-encoding')).toBe('identity')
    expect((await service.get('/teams')).json).toEqual([])
  },
)

test.for(['identity', 'Identity', ' identity ', ''])(
  'a body with Content-Encoding: "%s" is read',
  async (encoding, { service }) => {
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding }
    expect(await service.request('/teams', { method: 'POST', headers, body: BODY })).toMatchObject({
      status: 201,
    })
  },
)

test('an operation with a body documents 415 with its header, and no other operation does', async () => {
  for (const profile of ['a', 'b'] as const) {
    for (const { requestBody, responses } of operationsOf(JSON.parse(await servedDocument(profile)))) {
      expect('415' in responses).toBe(requestBody !== undefined)
      if (requestBody) expect(Object.keys(responses[415]?.headers ?? {})).toContain('Accept-Encoding')
    }
  }
})
