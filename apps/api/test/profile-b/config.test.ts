import { describe, expect, test } from 'vitest'
import { readConfig } from '../../src/composition/config.ts'

describe('PROFILE=b', () => {
  test.for([undefined, '', 'sqlite::memory:'])('keeps its records in memory with DATABASE_URL=%s', (url) => {
    const config = readConfig({ PROFILE: 'b', DATABASE_URL: url }, '/root')
    expect(config).toMatchObject({ profileName: 'b', database: { url: 'sqlite::memory:' } })
  })

  test.for(['sqlite:data/users.db', 'postgres://user:secret@localhost/users', 'x'])(
    'is rejected with DATABASE_URL=%s',
    (url) => {
      const read = () => readConfig({ PROFILE: 'b', DATABASE_URL: url }, '/root')
      expect(read).toThrow('DATABASE_URL: expected sqlite::memory: with PROFILE=b')
    },
  )
})
