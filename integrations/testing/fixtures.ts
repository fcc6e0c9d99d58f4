import { faker } from '@faker-js/faker'
import fc from 'fast-check'
import { defineId } from 'typed-id'
import { replaceUuids, seededUuids } from 'typed-id/testing'

export const UserId = defineId('user')

/**
 * Seeds both the ids and faker, so that a test can be repeated with
 * the same data.
 */
export function seed(value: number): void {
  faker.seed(value)
  replaceUuids(seededUuids({ seed: value }))
}

export const createUser = () => ({
  id: UserId.generate(),
  name: faker.person.fullName(),
})

/** Generates user ids. fast-check shrinks them to the nil UUID. */
export const userIds = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map(UserId.fromBytes)
