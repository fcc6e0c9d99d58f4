import { describe } from 'vitest'
import { testPostgres } from './postgres-claims.ts'
import { findPostgresBefore18 } from './start-postgres.ts'

describe('PostgreSQL before 18, without uuidv7()', () => testPostgres(findPostgresBefore18()))
