import { POSTGRES_BEFORE_18 } from 'testkit/postgres.ts'
import { describe } from 'vitest'
import { testPostgres } from './postgres-claims.ts'

describe.each(POSTGRES_BEFORE_18)('%s, without uuidv7()', (name) => void testPostgres(name))
