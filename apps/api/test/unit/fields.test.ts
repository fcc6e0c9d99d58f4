import { OpenApiGeneratorV31 } from '@asteasolutions/zod-to-openapi'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { booleanParameter, time } from '../../src/http/fields.ts'
import { toIssues } from '../../src/http/validation.ts'

const fields = z.object({ at: time().nullish(), flag: z.boolean().optional() })
const query = z.object({ flag: booleanParameter().optional() })

test.each([
  ['2026-11-23T12:00:00Z', '2026-11-23T12:00:00.000Z'],
  ['2026-11-23T12:00:00.123456Z', '2026-11-23T12:00:00.123Z'],
  ['2026-11-23T01:00:00+05:30', '2026-11-22T19:30:00.000Z'],
  ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
  [null, null],
])('the time %j is stored as %j', (at, stored) => expect(fields.parse({ at }).at).toBe(stored))

const invalid = (input: object, schema: z.ZodType = fields, location: 'body' | 'query' = 'body') => {
  const { error } = schema.safeParse(input)
  return error && toIssues(location, input, error)
}

test.each(['', 'now', '2026-11-23', '2026-02-30T00:00:00Z', '2026-11-23T12:00:00'])(
  'the time %j is invalid',
  (at) =>
    expect(invalid({ at })).toEqual([
      { type: 'datetime_parsing', loc: ['body', 'at'], msg: 'Input should be a valid datetime' },
    ]),
)

test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00'])(
  'the time %s is in a year that no database stores',
  (at) => expect(invalid({ at })).toMatchObject([{ type: 'datetime_parsing', loc: ['body', 'at'] }]),
)

test('a boolean is true or false, in a query as text', () => {
  expect(['true', 'false'].map((flag) => query.parse({ flag }).flag)).toEqual([true, false])
  for (const flag of ['1', 'True', '', 'yes'])
    expect(invalid({ flag }, query, 'query')).toMatchObject([
      { type: 'bool_parsing', loc: ['query', 'flag'] },
    ])
  expect(invalid({ flag: 'true' })).toMatchObject([{ type: 'bool_type', loc: ['body', 'flag'] }])
})

test('the document describes them as a date-time and a boolean', () => {
  const schema = fields.extend({ ...query.shape, at: time() }).meta({ id: 'Fields' })
  const { components } = new OpenApiGeneratorV31([{ type: 'schema', schema }]).generateComponents()
  expect(components?.schemas?.Fields).toEqual({
    type: 'object',
    properties: {
      at: { type: 'string', format: 'date-time', example: '2026-11-23T12:00:00.000Z' },
      flag: { type: 'boolean' },
    },
    required: ['at'],
  })
})
