import { faker } from '@faker-js/faker'
import fc from 'fast-check'
import { defineId } from 'typed-id'
import { replaceUuids, seededUuids } from 'typed-id/testing'

export const UserId = defineId('user')

/** Seeds the ids and the other data of faker, so that both repeat. */
export function seed(value: number): void {
  faker.seed(value)
  replaceUuids(seededUuids({ seed: value }))
}

export const createUser = () => ({
  id: UserId.generate(),
  name: faker.person.fullName(),
})

/** Generates any id of a user. fast-check shrinks it to nil. */
export const userIds = fc
  .uint8Array({ minLength: 16, maxLength: 16 })
  .map(UserId.fromBytes)
