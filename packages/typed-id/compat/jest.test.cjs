/* Jest with jsdom: a separate realm, without TextEncoder. Also the example for module-level types in the README. */
const { defineId, isTypedIdError, uuidv4 } = require('typed-id')
const {
  countingUuids,
  replaceUuids,
  restoreUuids,
} = require('typed-id/testing')

// Stands for a module under test, which defines its types when it is imported.
const UserId = defineId('user')
const SessionId = defineId('session', { uuid: uuidv4 })

describe('module-level types', () => {
  beforeEach(() => void replaceUuids(countingUuids()))
  afterEach(restoreUuids)

  test.each([1, 2])('are deterministic in each test (%i)', () => {
    expect(UserId.generate()).toBe('user-00000000-0000-7000-8000-000000000001')
    expect(SessionId.generate()).toBe(
      'session-00000000-0000-7000-8000-000000000002',
    )
  })
})

test('ids are generated and converted', () => {
  const id = UserId.generate()
  expect(UserId.fromShort(UserId.toShort(id))).toBe(id)
  expect(UserId.fromBytes(UserId.toBytes(id))).toBe(id)
  expect(SessionId.is(SessionId.generate())).toBe(true)
})

test('fake timers set the time of new ids', () => {
  jest.useFakeTimers({ now: Date.UTC(2024, 0, 1) })
  expect(UserId.timestamp(UserId.generate()).toISOString()).toBe(
    '2024-01-01T00:00:00.000Z',
  )
  jest.useRealTimers()
})

test('toEqual distinguishes two failures', () => {
  expect(UserId.safeParse('nope')).toEqual(UserId.safeParse('nope'))
  expect(UserId.safeParse('nope')).not.toEqual(UserId.safeParse('user-x'))
  expect(isTypedIdError(UserId.safeParse('nope').error)).toBe(true)
})
