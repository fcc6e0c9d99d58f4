import { eq } from 'drizzle-orm'
import type { Engine, Server } from '../../databases.ts'
import type { Orm } from '../cases.ts'
import { TeamId, UserId } from '../ids.ts'
import * as mysql from './mysql.ts'
import * as postgres from './postgres.ts'
import * as sqlite from './sqlite.ts'

const DIALECTS: Record<Engine, Orm> = { postgres, sqlite, mysql }

export const open: Orm['open'] = (server: Server, storage) => DIALECTS[server.engine].open(server, storage)

export const cannot: Orm['cannot'] = (engine, storage) => ({
  ...(engine === 'mysql' && {
    returning: 'MySQL has no RETURNING, so mysql-core has none',
    relation: 'relational queries use LATERAL, which MySQL 8 has and MariaDB has not; a join works',
  }),
  ...(engine === 'sqlite' &&
    storage === 'bytes' && {
      relation: 'relational queries return JSON, which holds no bytes; a join works',
    }),
})

export function wrongTypes() {
  const { users } = postgres.defineTables('uuid')
  // @ts-expect-error: a team is not a user
  eq(users.id, TeamId.example)
  // @ts-expect-error: a user is not a team
  const row: typeof users.$inferInsert = { id: UserId.example, name: 'Ada', teamId: UserId.example }
  // @ts-expect-error: a string has to be parsed first
  const id: (typeof users.$inferSelect)['id'] = 'user-1'
  return { row, id }
}
