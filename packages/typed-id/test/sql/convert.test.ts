import { describe } from 'vitest'
import { testConversion } from './convert-claims.ts'

describe('PostgreSQL 18', () => testConversion())
