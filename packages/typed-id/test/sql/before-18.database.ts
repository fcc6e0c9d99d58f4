import { POSTGRES_BEFORE_18 } from 'testkit/sockets/start-postgres.ts'
import { describe } from 'vitest'
import { testConversion } from './convert-claims.ts'
import { testPostgres } from './postgres-claims.ts'

describe.each(POSTGRES_BEFORE_18)('%s, without uuidv7()', (name) => {
  describe('the functions', () => void testPostgres(name))
  describe('the conversion', () => testConversion(name))
})
