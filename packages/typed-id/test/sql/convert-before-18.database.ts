import { POSTGRES_BEFORE_18 } from 'testkit/sockets/start-postgres.ts'
import { describe } from 'vitest'
import { testConversion } from './convert-claims.ts'

describe.each(POSTGRES_BEFORE_18)('%s', (name) => testConversion(name))
