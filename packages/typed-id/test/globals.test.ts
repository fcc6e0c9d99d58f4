import { execFileSync } from 'node:child_process'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

/*
 * Simulates runtimes that lack some web APIs: jest with jsdom has no
 * TextEncoder, React Native has no crypto, and a page without https has no
 * crypto.subtle and no crypto.randomUUID.
 */

const UUID = '0190163d-8694-739b-aea5-966c26f8ad91'

beforeEach(() => vi.resetModules())
afterEach(() => vi.unstubAllGlobals())

const trap = () => {
  throw new Error('a trap was called')
}
const load = () => import('../src/index.ts')

test('the core imports and converts without TextEncoder and without crypto', async () => {
  for (const name of ['TextEncoder', 'TextDecoder', 'crypto'])
    vi.stubGlobal(name, undefined)
  const { defineId } = await load()
  const UserId = defineId('user')
  expect(UserId.toShort(UserId.parse(`user-${UUID}`))).toBe(
    'user_01j0b3v1mmeedtx9cpdgkfhbch',
  )
})

test.each([
  ['no crypto', undefined],
  ['a crypto without functions', {}],
])('with %s, a TypedIdError names the missing function', async (_, crypto) => {
  vi.stubGlobal('crypto', crypto)
  const { createUuidv7, defineId, idFromName, uuidv4, uuidv7At } = await load()
  const UserId = defineId('user')
  const errorFor = (expected: string) => ({
    name: 'TypedIdError',
    code: 'missing_crypto',
    message: `missing crypto: expected ${expected}, received undefined`,
  })
  const error = expect.objectContaining(errorFor('crypto.getRandomValues'))
  for (const create of [
    UserId.generate,
    defineId('session', { uuid: uuidv4 }).generate,
    createUuidv7(),
    () => uuidv7At(0),
  ])
    expect(create).toThrow(error)
  await expect(idFromName(UserId, 'ada')).rejects.toMatchObject(
    errorFor('crypto.subtle (browsers: https pages only)'),
  )
  vi.unstubAllGlobals()
  expect(UserId.generate()).toMatch(/^user-/)
  expect(UserId.is(await idFromName(UserId, 'ada'))).toBe(true)
})

test('uuidv4 comes from the platform, or is made of random bytes', async () => {
  vi.stubGlobal('crypto', { randomUUID: () => UUID })
  expect((await load()).uuidv4()).toBe(UUID)
  vi.resetModules()
  vi.stubGlobal('crypto', { getRandomValues: (bytes: Uint8Array) => bytes })
  expect((await load()).uuidv4()).toBe('00000000-0000-4000-8000-000000000000')
})

test('while a test replaces crypto by one with another randomUUID, every version throws, and works again afterwards', async () => {
  const { defineId, uuidv4, uuidv7 } = await load()
  expect(uuidv4()).toMatch(/^[\da-f-]{36}$/)
  vi.stubGlobal('crypto', { randomUUID: () => 'test-uuid-123' })
  expect(uuidv4).toThrow(
    'invalid uuid: expected a lowercase UUID from crypto.randomUUID, received "test-uuid-123"',
  )
  const SessionId = defineId('session', { uuid: uuidv4 })
  expect(SessionId.generate).toThrow('invalid uuid')
  expect(uuidv7).toThrow('missing crypto')
  vi.unstubAllGlobals()
  expect(SessionId.is(SessionId.generate())).toBe(true)
  expect(uuidv7()).toMatch(/^[\da-f-]{36}$/)
})

test('idFromName does not keep the namespace that a replaced crypto has hashed', async () => {
  const { defineId, idFromName } = await load()
  const UserId = defineId('user')
  const digest = async () => new ArrayBuffer(20)
  vi.stubGlobal('crypto', { subtle: { digest } })
  expect(await idFromName(UserId, 'ada@example.com')).toBe(
    'user-00000000-0000-5000-8000-000000000000',
  )
  vi.unstubAllGlobals()
  expect(await idFromName(UserId, 'ada@example.com')).toBe(
    'user-f3b44eed-6e2a-56ff-bd9b-9c00038a7c68',
  )
})

test.each([
  ['Node', process],
  ['no process', undefined],
  ['no startup snapshots', { getBuiltinModule: () => ({}) }],
  ['a trap, as on the edge runtime of Next', { getBuiltinModule: trap }],
])('with %s, no startup snapshot is being written', async (_, value) => {
  vi.stubGlobal('process', value)
  const { isBuildingSnapshot } = await import('../src/core/random.ts')
  // `isBuildingSnapshot` returns 0 on Node and `false` on other runtimes.
  expect(Number(isBuildingSnapshot())).toBe(0)
})

test('with a frozen Error.prototype, invalid values throw a TypedIdError', () => {
  const code = `Object.freeze(Error.prototype)
    const { defineId } = await import('./src/index.ts')
    const { error } = defineId('user').safeParse('nope')
    console.log(error.name, Object.keys(error).join(), String(error))`
  const args = ['--input-type=module', '--eval', code]
  const cwd = `${import.meta.dirname}/..`
  const output = execFileSync(process.execPath, args, { cwd })
  expect(`${output}`).toBe(
    'TypedIdError message,code,expected,received,reason TypedIdError: not a valid user id: expected "user-" and a lowercase UUID, received "nope"\n',
  )
})
