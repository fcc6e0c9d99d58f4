import { nextPage } from 'testkit/client.ts'
import { opaqueIds } from 'typed-id/opaque'
import { idSchema, shortIdSchema } from 'typed-id/zod'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { ProfileName } from '../../src/composition/variables.ts'
import { createIdForms, idConverter } from '../../src/http/opaque-ids.ts'
import { TeamId, UserId } from '../../src/ids.ts'
import { startInMemory } from '../support/http-fixture.ts'

// The project `http on sqlite-memory, opaque ids` runs the tests of both profiles with opaque ids. These tests show what
// is different from a service without them.

const PREVIOUS = '1:00112233445566778899aabbccddeeff'
const KEYS = ['2:0f1e2d3c4b5a69788796a5b4c3d2e1f0', PREVIOUS]

const start = (profile: ProfileName) => startInMemory(profile, { opaqueIdKeys: KEYS })

/** Starts Profile A with a team for each id. */
async function startWithTeams(...ids: TeamId[]) {
  const service = await start('a')
  const teams = ids.map((id) => ({ id, name: 'Stored' }))
  await service.db.exclusively((tx) => tx.insertInto('teams').values(teams).execute())
  return service
}

const teams = opaqueIds(TeamId, { keys: KEYS })
const previous = opaqueIds(TeamId, { keys: [PREVIOUS] })

describe('OPAQUE_IDS', () => {
  test('stores version 7 and shows version 4, in the body and in Link', async () => {
    const [first, second] = [TeamId.generate(), TeamId.generate()]
    const service = await startWithTeams(first, second)
    const { json, headers } = await service.get('/teams?limit=1')
    expect(json).toEqual([{ id: teams.toOpaque(first), name: 'Stored' }])
    expect(nextPage(headers, '/teams')).toBe(`/teams?limit=1&after=${teams.toOpaque(first)}`)
  })

  test('accepts the ids of a previous key, and returns those of the current key', async () => {
    const [id, next] = [TeamId.generate(), TeamId.generate()]
    const service = await startWithTeams(id, next)
    const shown = { id: teams.toOpaque(id), name: 'Stored' }
    expect(await service.get(`/teams/${previous.toOpaque(id)}`)).toMatchObject({ status: 200, json: shown })
    expect((await service.get(`/teams?after=${previous.toOpaque(id)}`)).json).toHaveLength(1)
  })

  test.each([
    ['its stored id', (id: TeamId) => id],
    ['the opaque id of a key that was removed', (id: TeamId) => `team-3${teams.toOpaque(id).slice(6)}`],
  ])('does not find a record by %s, and rejects it as `after`', async (_, idOf) => {
    const id = TeamId.generate()
    const service = await startWithTeams(id)
    expect(await service.get(`/teams/${idOf(id)}`)).toMatchObject({ status: 404 })
    expect((await service.get(`/users?team_id=${idOf(id)}`)).json).toEqual([])
    expect(await service.post('/users', { ...USER, team_id: idOf(id) })).toMatchObject({
      status: 404,
      json: { detail: 'Team not found' },
    })
    expect(await service.get(`/teams?limit=1&after=${idOf(id)}`)).toMatchObject({
      status: 422,
      json: { detail: [{ type: 'value_error', loc: ['query', 'after'] }] },
    })
  })

  test('logs the stored id', async () => {
    const { patch, logLines } = await start('a')
    const id = UserId.generate()
    await patch(`/users/${opaqueIds(UserId, { keys: KEYS }).toOpaque(id)}`, { name: 7 })
    expect(JSON.parse(logLines.at(-1) ?? '')).toMatchObject({ status: 422, ids: { user_id: id } })
  })

  test('returns the ids of an order as the client has sent them, whatever their version', async () => {
    const service = await start('b')
    for (const uuid of [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-7fff-bfff-ffffffffffff',
      '0190163d-8694-739b-aea5-966c26f8ad91',
      '0190163d-8694-739b-cea5-966c26f8ad91',
      '2190163d-8694-439b-aea5-966c26f8ad91',
      '3190163d-8694-439b-aea5-966c26f8ad91',
    ]) {
      const ids = { user_id: `user-${uuid}`, product_id: `product-${uuid}` }
      const response = await service.post('/orders', { ...ids, quantity: 1 })
      expect(response, uuid).toMatchObject({ status: 200, json: ids })
    }
  })

  test('responds 500 for a stored id that looks like the opaque id of a previous key', async () => {
    const service = await startWithTeams(previous.toOpaque(TeamId.generate()))
    expect(await service.get('/teams')).toMatchObject({ status: 500 })
    expect(service.logLines.join()).toContain('OPAQUE_IDS: expected stored ids of version 7')
  })
})

const USER = { email: 'ada@example.com', name: 'Ada', password: 'x' }

describe('the conversion of a schema', () => {
  const id = idSchema(UserId)
  const { toClient } = createIdForms(KEYS)
  const shown = toClient('user', UserId.example)

  test.each([
    [z.object({ a: z.object({ id }).nullable() }), { a: { id: UserId.example } }, { a: { id: shown } }],
    [z.array(id).optional(), [UserId.example], [shown]],
    [z.array(id).optional(), undefined, undefined],
    [id.nullable().default(null), null, null],
    [z.object({ id: id.nullish() }), {}, {}],
    [z.union([z.object({ id }), z.null()]), { id: UserId.example }, { id: shown }],
    [z.object({ name: z.string() }), { name: UserId.example }, { name: UserId.example }],
    [undefined, UserId.example, UserId.example],
  ])('finds its ids: %#', (schema, value, expected) => {
    expect(idConverter(schema, toClient)(value)).toEqual(expected)
  })

  test.each([
    z.record(z.string(), id),
    z.tuple([id]),
    z.union([id, z.object({ id })]),
    z.string().pipe(id),
    id.transform((text) => text),
    shortIdSchema(UserId),
    z.object({ ids: z.set(id).or(z.array(id)) }),
  ])('throws when the app is created if ids are in another place: %#', (schema) => {
    expect(() => idConverter(schema, toClient)).toThrow(/^expected ids in objects, arrays, optional/)
  })
})
