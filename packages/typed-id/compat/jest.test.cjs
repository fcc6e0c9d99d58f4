/* Runs in Jest with jsdom: a separate realm, without TextEncoder. */
const { defineId, isTypedIdError, uuidv4 } = require('typed-id')
const {
  countingUuids,
  replaceUuids,
  restoreUuids,
} = require('typed-id/testing')

const UserId = defineId('user')
const SessionId = defineId('session', { uuid: uuidv4 })

test('replaceUuids makes the ids of existing types deterministic', () => {
  replaceUuids(countingUuids())
  expect(UserId.generate()).toBe('user-00000000-0000-7000-8000-000000000001')
  expect(SessionId.generate()).toBe(
    'session-00000000-0000-7000-8000-000000000002',
  )
  restoreUuids()
})

test('ids are generated and converted', () => {
  const id = UserId.generate()
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
  const { error } = UserId.safeParse('nope')
  expect(error).not.toEqual(UserId.safeParse('user-x').error)
  expect(isTypedIdError(error)).toBe(true)
})
