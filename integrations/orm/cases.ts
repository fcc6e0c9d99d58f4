import { inspect } from 'node:util'
import type { IdStorage } from 'typed-id/codec'
import { expect } from 'vitest'
import type { Engine, Server } from '../databases.ts'
import { TeamId, UserId } from './ids.ts'
import { createTables } from './tables.ts'

export interface Team {
  id: TeamId
  name: string
}
export interface User {
  id: UserId
  name: string
  teamId: TeamId | null
}

/** The operations, which each ORM implements in its own way. Lists are in the order of ids. */
export interface Store {
  insertTeam(team: Team): Promise<unknown>
  insert(user: User): Promise<unknown>
  select(): Promise<User[]>
  /** Returns the user with an id, and all users with an id up to a bound. */
  where(id: UserId): Promise<User | undefined | null>
  whereUpTo(id: UserId): Promise<User[]>
  inList(ids: UserId[]): Promise<User[]>
  /** Joins users and teams, with aliases for the tables and for both ids. */
  join(): Promise<{ member: UserId; group: TeamId }[]>
  /** Inserts a user and returns the row that the database has stored. */
  returning(user: User): Promise<User>
  whereNull(): Promise<User[]>
  update(id: UserId, teamId: TeamId | null): Promise<unknown>
  /** Inserts the user, or updates the name and the team of the user with the same id. */
  upsert(user: User): Promise<unknown>
  /** Returns the user with the related team. */
  relation(id: UserId): Promise<{ id: UserId; team: Team | null } | undefined | null>
  /** Returns the name of the user with an id, by a condition in SQL text. */
  raw(id: UserId): Promise<string | undefined>
  close(): Promise<unknown>
}

/** The ORMs, each with the folder of its `store.ts`. */
export const ORMS = {
  Kysely: 'kysely',
  Drizzle: 'drizzle',
  Prisma: 'prisma',
  TypeORM: 'typeorm',
  MikroORM: 'mikro-orm',
}

/** Imports one ORM only, because code of the others imports exports that the oldest version of Kysely lacks. */
export const loadOrm = (folder: string): Promise<Orm> => import(`./${folder}/store.ts`)

/** The exports of `store.ts`. */
export interface Orm {
  open(server: Server, storage: IdStorage): Promise<Store>
  /** The reason for each operation that the ORM cannot do on an engine and a storage. The matrix expects it to fail. */
  cannot?: ((engine: Engine, storage: IdStorage) => Partial<Record<Operation, string>>) | undefined
}

export interface Context {
  readonly orm: Orm
  readonly store: Store
  readonly server: Server
  readonly storage: IdStorage
}

const TEAM: Team = { id: TeamId.generate(), name: 'Engine' }
const OTHER: Team = { id: TeamId.generate(), name: 'Difference' }
const ADA: User = { id: UserId.generate(), name: 'Ada', teamId: TEAM.id }
const BOB: User = { id: UserId.generate(), name: 'Bob', teamId: null }
const EVE: User = { id: UserId.generate(), name: 'Eve', teamId: OTHER.id }

/** Empties the tables and inserts two teams, and Ada and Bob. */
export async function fill({ store, server }: Context): Promise<void> {
  await server.run('delete from users', 'delete from teams')
  for (const team of [TEAM, OTHER]) await store.insertTeam({ ...team })
  for (const user of [ADA, BOB]) await store.insert({ ...user })
}

/** Returns the text of the error with which an action fails, with its causes. */
export const messageOf = (action: () => unknown): Promise<unknown> =>
  new Promise((resolve) => resolve(action())).catch((error) => inspect(error, { depth: 9 }))

const plain = (value: unknown) => JSON.parse(JSON.stringify(value))

/** The operations, each with a claim about a database that `fill` has prepared. */
export const CASES = {
  async insert({ server, storage }: Context) {
    const rows = await server.run('select id, team_id from users order by id')
    const stored = { text: ADA.id, uuid: UserId.toUuid(ADA.id), bytes: Buffer.from(UserId.toBytes(ADA.id)) }[
      storage
    ]
    expect(rows[0]?.id).toEqual(stored)
    expect(rows[1]?.team_id).toBeNull()
  },
  async select({ store }: Context) {
    expect(plain(await store.select())).toEqual([ADA, BOB])
  },
  async where({ store }: Context) {
    expect(plain(await store.where(BOB.id))).toEqual(BOB)
    expect(await store.where(UserId.generate())).toBeFalsy()
    expect(plain(await store.whereUpTo(ADA.id))).toEqual([ADA])
  },
  async 'in list'({ store }: Context) {
    expect(plain(await store.inList([BOB.id, UserId.generate(), ADA.id]))).toEqual([ADA, BOB])
  },
  async join({ store }: Context) {
    expect(plain(await store.join())).toEqual([{ member: ADA.id, group: TEAM.id }])
  },
  async returning({ store }: Context) {
    expect(plain(await store.returning({ ...EVE }))).toEqual(EVE)
  },
  async null({ store }: Context) {
    expect(plain(await store.whereNull())).toEqual([BOB])
  },
  async update({ store }: Context) {
    await store.update(BOB.id, OTHER.id)
    await store.update(ADA.id, null)
    expect(plain(await store.select())).toEqual([
      { ...ADA, teamId: null },
      { ...BOB, teamId: OTHER.id },
    ])
  },
  async upsert({ store }: Context) {
    await store.upsert({ ...EVE })
    await store.upsert({ ...BOB, teamId: OTHER.id })
    expect(plain(await store.select())).toEqual([ADA, { ...BOB, teamId: OTHER.id }, EVE])
  },
  async relation({ store }: Context) {
    expect(plain(await store.relation(ADA.id))).toMatchObject({ id: ADA.id, team: TEAM })
    expect(plain(await store.relation(BOB.id))).toMatchObject({ id: BOB.id, team: null })
  },
  async 'raw fragment'({ store }: Context) {
    expect(await store.raw(ADA.id)).toBe('Ada')
  },
  async 'wrong id'({ store }: Context) {
    const wrong = TEAM.id as unknown as UserId
    for (const action of [
      () => store.insert({ ...EVE, id: wrong }),
      () => store.where(wrong),
      () => store.inList([wrong]),
    ])
      expect(await messageOf(action)).toMatch(/expected user in column users?\.id, received team /i)
  },
  async 'stored value is no id'({ orm, server, storage }: Context) {
    await createTables(server, storage, { strict: false })
    const store = await orm.open(server, storage)
    try {
      await server.run("insert into users (id, name) values ('user-1', 'Mallory')")
      expect(await messageOf(() => store.select())).toMatch(
        /expected .+ in column (users?\.id, received|'id', got) /i,
      )
    } finally {
      await store.close()
      await createTables(server, storage)
    }
  },
} satisfies Record<string, (context: Context) => Promise<void>>

export type Operation = keyof typeof CASES
