import { describe } from 'vitest'
import { testPostgres } from './postgres-claims.ts'
import { POSTGRES_15 } from './start-postgres.ts'

describe('PostgreSQL 15, without uuidv7()', () => testPostgres(POSTGRES_15))
