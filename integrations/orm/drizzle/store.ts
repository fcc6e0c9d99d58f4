import type { Engine, Server } from '../../databases/engines.ts'
import type { Orm } from '../cases.ts'
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
