import { expect, test } from 'vitest'
import { TeamId, UserId } from '../src/ids.ts'
import { typedIds } from '../src/prisma.ts'

// Generating a Prisma client requires an engine that is not in any npm package. This client only returns its extension,
// and the tests call the hooks as Prisma does.
type Hook = (call: { model: string; args: object; query: (args: object) => object }) => object
const { query, result } = (typedIds as unknown as (client: object) => typeof typedIds.prototype)({
  $extends: (extension: object) => extension,
})
const hook = (name: string, model: string, args: object) =>
  (query.$allModels as Record<string, Hook>)[name]?.({ model, args, query: (args) => args })

test('Prisma: generates an id of the type of the model, unless the record has one', () => {
  const isUser = { asymmetricMatch: UserId.is }
  expect(hook('create', 'User', { data: { name: 'Ada' } })).toEqual({ data: { id: isUser, name: 'Ada' } })
  expect(hook('upsert', 'User', { create: {}, update: {} })).toEqual({ create: { id: isUser }, update: {} })
  for (const name of ['createMany', 'createManyAndReturn']) {
    expect(hook(name, 'User', { data: [{}, {}] })).toEqual({ data: [{ id: isUser }, { id: isUser }] })
    expect(hook(name, 'User', { data: {} })).toEqual({ data: { id: isUser } })
  }
  const data = { id: TeamId.generate() }
  expect(hook('create', 'Team', { data })).toEqual({ data })
  expect(hook('create', 'AuditLog', { data: {} })).toEqual({ data: {} })
})

test('Prisma: reads a record with an id of its type', () => {
  const id = UserId.generate()
  expect(result.user.id.compute({ id })).toBe(id)
  expect(() => result.team.id.compute({ id })).toThrow(expect.objectContaining({ code: 'wrong_type' }))
})
