import type {
  StandardJSONSchemaV1,
  StandardSchemaV1,
} from '@standard-schema/spec'
import { expect, expectTypeOf, test } from 'vitest'
import { toJsonSchema } from 'xsschema'
import * as z from 'zod'
import { defineId, type IdType, type TypedId } from '../src/index.ts'
import { withJsonSchema } from '../src/json-schema.ts'
import { defineTypeId, type TypeId } from '../src/typeid.ts'
import { idSchema, shortIdSchema } from '../src/zod.ts'

const CoreId = defineId('user')
const UserId = withJsonSchema(CoreId)
const LineId = withJsonSchema(defineTypeId('order_line'))

function convert(
  schema: StandardJSONSchemaV1,
  target: StandardJSONSchemaV1.Target,
) {
  const { input, output } = schema['~standard'].jsonSchema
  expect(output({ target })).toEqual(input({ target }))
  return input({ target })
}

const keywords = {
  type: 'string',
  description: 'Identifier of type user: `user-<lowercase uuid>`',
  pattern: UserId.pattern,
  'x-typed-id': { prefix: 'user' },
  'x-brand': 'UserId',
}

test.each([
  ['draft-2020-12', { examples: [UserId.example] }],
  ['draft-07', { examples: [UserId.example] }],
  ['openapi-3.0', { example: UserId.example }],
])('converts an id type to %s', (target, example) => {
  expect(convert(UserId, target)).toEqual({ ...keywords, ...example })
})

test('throws for a target that the standard does not name', () => {
  expect(() => convert(UserId, 'draft-04')).toThrow(
    new TypeError(
      'unknown target: expected draft-2020-12, draft-07, openapi-3.0, received draft-04',
    ),
  )
})

test('converts a type of TypeIDs with x-typeid', () => {
  expect(convert(LineId, 'openapi-3.0')).toEqual({
    type: 'string',
    description:
      'Identifier of type order_line: `order_line_<26 base32 digits>`',
    pattern: LineId.pattern,
    example: LineId.example,
    'x-typeid': { prefix: 'order_line' },
    'x-brand': 'OrderLineShortId',
  })
  expect(convert(withJsonSchema(defineTypeId('')), 'draft-07')).toMatchObject({
    description: 'Identifier: `<26 base32 digits>`',
    'x-typeid': { prefix: '' },
    'x-brand': 'ShortId',
  })
})

test('the JSON Schema is the same as by typed-id/zod', () => {
  const fromZod = (schema: z.ZodType) => {
    const { $schema, ...json } = z.toJSONSchema(schema)
    return json
  }
  expect(convert(UserId, 'draft-2020-12')).toEqual(fromZod(idSchema(CoreId)))
  const TypeId = withJsonSchema(defineTypeId('user'))
  expect(convert(TypeId, 'draft-2020-12')).toEqual(
    fromZod(shortIdSchema(CoreId)),
  )
})

test('a change of a converted schema does not change the next one', () => {
  const json = convert(UserId, 'draft-07')
  json.pattern = 'changed'
  ;(json['x-typed-id'] as { prefix: string }).prefix = 'changed'
  expect(convert(UserId, 'draft-07')).toMatchObject(keywords)
})

test('xsschema converts an id type without an adapter', async () => {
  expect(await toJsonSchema(UserId)).toMatchObject(keywords)
})

test('the result is a frozen id type', () => {
  const type: IdType<'user'> = UserId
  const standard: StandardSchemaV1<string, TypedId<'user'>> = UserId
  expect(Object.isFrozen(type) && Object.isFrozen(standard['~standard'])).toBe(
    true,
  )
  expectTypeOf<StandardJSONSchemaV1.InferOutput<typeof UserId>>().toEqualTypeOf<
    TypedId<'user'>
  >()
  expectTypeOf<StandardJSONSchemaV1.InferOutput<typeof LineId>>().toEqualTypeOf<
    TypeId<'order_line'>
  >()
})
