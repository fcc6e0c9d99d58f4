import { describe } from 'vitest'
import { testPostgres } from './postgres-claims.ts'
import { POSTGRES_BEFORE_18 } from './start-postgres.ts'

describe.each(POSTGRES_BEFORE_18)('%s, without uuidv7()', (name) => testPostgres(name))
