import { describe } from 'vitest'
import { testPostgres } from './postgres-claims.ts'

describe('PostgreSQL 18', () => testPostgres())
