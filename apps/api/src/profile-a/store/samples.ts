import type { IdType } from 'typed-id'
import { seededUuids } from 'typed-id/testing'
import type { SampleOptions } from '../../database/samples.ts'
import { RoleId, TeamId, UserId } from '../../ids.ts'
import { normalizeEmail } from './email-address.ts'
import type { Tables } from './schema.ts'

type Rows = { readonly [Name in keyof Tables]?: Tables[Name][] }

/** The argon2id hash of `correct horse battery staple`. All sample users share it, because hashing takes 20 ms. */
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

/** Number of users in one batch. A batch takes 0.3 to 1 s, for which a signal to stop may have to wait. */
const BATCH = 10_000

/** Number of users per team, when the first teams cannot contain all users. */
const TEAM_SIZE = 100

/**
 * The time of the first fixed id, and the time between two fixed ids, in milliseconds. The ids of examples in the
 * OpenAPI document are a day older, so rows with these ids are the first of each list.
 */
const [START, STEP] = [Date.UTC(2024, 5, 15), 3_600_000]

/**
 * Yields teams, roles and users in batches, parents first. Fixed rows are the same at each call, ids included, and the
 * first row of each type has the id of the examples of the OpenAPI document. Otherwise ids are new, and unique values
 * end with a part of an id. Nine of ten users have a team, and each user has up to three roles.
 *
 * A batch contains the teams of its users, and the addresses of users with one name are in creation order. Rows in
 * random order would change most pages of an index in each transaction: a million users in a file would take 56 s of
 * processor time instead of 31 s, and 24 GB of writes instead of 7.
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
