import { expect } from 'vitest'
import { test } from '../support/http-fixture.ts'

const PARSING = 'Input should be a valid integer, unable to parse string as an integer'

test.for(['x', '', ' 1', '1.5', '1e2', '0x10', 'NaN', 'Infinity', '٣'])(
  'limit=%j is reported as int_parsing with the message of Pydantic',
  async (limit, { service }) => {
    const { status, json } = await service.get(`/users?limit=${encodeURIComponent(limit)}`)
    expect(status).toBe(422)
    expect(json.detail).toEqual([{ type: 'int_parsing', loc: ['query', 'limit'], msg: PARSING }])
  },
)

test.for([
  ['1001', 'less_than_equal', 'Input should be less than or equal to 1000'],
  ['9'.repeat(20), 'less_than_equal', 'Input should be less than or equal to 1000'],
  ['9'.repeat(400), 'less_than_equal', 'Input should be less than or equal to 1000'],
  ['0', 'greater_than_equal', 'Input should be greater than or equal to 1'],
  [`-${'9'.repeat(400)}`, 'greater_than_equal', 'Input should be greater than or equal to 1'],
] as const)('limit=%.30s is an integer, and is reported as %s', async ([limit, type, msg], { service }) => {
  const { json } = await service.get(`/users?limit=${limit}`)
  expect(json.detail).toEqual([{ type, loc: ['query', 'limit'], msg }])
})
