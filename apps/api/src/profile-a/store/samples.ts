import type { IdType } from 'typed-id'
import { seededUuids } from 'typed-id/testing'
import type { SampleOptions } from '../../database/samples.ts'
import { RoleId, TeamId, UserId } from '../../ids.ts'
import { normalizeEmail } from './email-address.ts'
import type { Tables } from './schema.ts'

/** Rows of some tables. */
type Rows = { readonly [Name in keyof Tables]?: Tables[Name][] }

/** The argon2id hash of `correct horse battery staple`: hashing takes 20 ms, so all sample users share one. */
const PASSWORD_HASH =
  '$argon2id$v=19$m=19456,t=2,p=1$O93QoKwxCOn8NvmY0kU3PQ$5eTHmMLwrjdy1InCNeI1/6ghlXeYS0wYotZWln+i0dU'

const TEAMS = 'Platform Payments Search Mobile Data Security Design Support Sales Finance Legal People'.split(
  ' ',
)

const ROLES: readonly (readonly [name: string, description: string | null])[] = [
  ['admin', 'May do everything'],
  ['editor', 'May change content'],
  ['viewer', 'May read everything'],
  ['billing', 'May see and pay invoices'],
  ['on-call', 'Receives alerts'],
  ['guest', null],
]

const FIRST_NAMES =
  'Ada Alan Amara Anders Beatriz Carlos Chiara Dmitri Edsger Elif Emeka Fatima Grace Hana Hiroshi Ines Ivan Jonas Katya Lin'.split(
    ' ',
  )
const LAST_NAMES =
  'Lovelace Turing Okafor Lindqvist Moreira Mendoza Rossi Volkov Dijkstra Demir Nwosu Haddad Hopper Kim Tanaka Duarte Petrov Weber Orlova Chen'.split(
    ' ',
  )

/** Users in one batch, which takes 0.3 to 1 s: a signal to stop may wait as long. */
const BATCH = 10_000

/** Users per team, when there are more than the first teams can have. */
const TEAM_SIZE = 100

/**
 * The time of the first fixed id, and the time between two of them, in milliseconds. The examples of the OpenAPI document
 * are a day older, so their rows are the first of each list.
 */
const [START, STEP] = [Date.UTC(2024, 5, 15), 3_600_000]

/**
 * Yields teams, roles and users in batches, parents first. Fixed rows are the same at each call, ids included, and the
 * first row of each type has the id of the examples of the OpenAPI document. Otherwise
 * ids are new, and values that must be unique end with a part of an id. Nine of ten users have a team, and each has up to
 * three roles.
 *
 * A batch has the teams of its users, and the addresses of one name are in creation order: rows in random order change
 * most pages of an index in each transaction. A million users in a file then need 56 s of processor time instead of 31 s,
 * and 24 GB of writes instead of 7.
 */
export function* createSamples({ users, fixed }: SampleOptions): Generator<Rows> {
  let time = START
  const uuid = seededUuids({ now: () => (time += STEP) })
  const withExample = new Set<IdType<string>>()
  const newId = <P extends string>(type: IdType<P>) => {
    if (!fixed) return type.generate()
    if (withExample.has(type)) return type.fromUuid(uuid())
    withExample.add(type)
    return type.example
  }
  const uniqueEnd = (separator: string, end: string) => (fixed ? '' : separator + end)

  const roles = ROLES.map(([name, description]) => {
    const id = newId(RoleId)
    return { id, name: name + uniqueEnd('-', id.slice(-12)), description }
  })
  yield { roles }

  let teamCount = 0
  for (let first = 0; first < users; first += BATCH) {
    const size = Math.min(BATCH, users - first)
    const teams = times(Math.max(TEAMS.length, Math.ceil(size / TEAM_SIZE)), () => {
      const n = teamCount++
      const suffix = n < TEAMS.length ? '' : ` ${Math.floor(n / TEAMS.length) + 1}`
      return { id: newId(TeamId), name: pick(TEAMS, n) + suffix }
    })
    const batch = times(size, (k) => {
      const n = first + k
      const [name, surname] = [pick(FIRST_NAMES, n), pick(LAST_NAMES, n + Math.floor(n / FIRST_NAMES.length))]
      const id = newId(UserId)
      const email =
        `${name}.${surname}${uniqueEnd('.', UserId.toShort(id).slice('user_'.length))}@example.com`.toLowerCase()
      return {
        id,
        email,
        normalized_email: normalizeEmail(email),
        name: `${name} ${surname}`,
        password_hash: PASSWORD_HASH,
        team_id: n % 10 === 9 ? null : pick(teams, n).id,
      }
    })
    const user_roles = batch.flatMap(({ id }, k) =>
      times((first + k) % 4, (r) => ({ user_id: id, role_id: pick(roles, first + k + r).id })),
    )
    yield { teams, users: batch, user_roles }
  }
}

const pick = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

const times = <T>(count: number, create: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => create(n))
