import { Ajv } from 'ajv'
import { afterEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { defineId, idRegistry } from '../src/index.ts'
import { defineTypeId } from '../src/typeid.ts'
import {
  eitherFormSchema,
  type IdSchemaOptions,
  idSchema,
  registrySchema,
  shortIdSchema,
  uuidOrIdSchema,
} from '../src/zod.ts'

const UserId = defineId('user')
const TeamId = defineId('team')
const documented = {
  type: 'string',
  pattern: UserId.pattern,
  description: 'Identifier of type user: `user-<lowercase uuid>`',
  examples: [UserId.example],
  'x-typed-id': { prefix: 'user' },
  'x-brand': 'UserId',
}
const { 'x-brand': _, ...unbranded } = documented
const eitherDocumented = {
  ...unbranded,
  pattern: `${UserId.pattern}|${UserId.shortPattern}`,
  description:
    'Identifier of type user: `user-<lowercase uuid>` or `user_<26 base32 digits>`',
}
const uuidDocumented = {
  ...unbranded,
  pattern: `${UserId.pattern}|^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$`,
  description:
    'Identifier of type user: `user-<lowercase uuid>` or `<lowercase uuid>`',
}

describe.each([
  ['idSchema', idSchema(UserId), documented],
  ['eitherFormSchema', eitherFormSchema(UserId), eitherDocumented],
  ['uuidOrIdSchema', uuidOrIdSchema(UserId), uuidDocumented],
])('%s', (_, schema, expected) => {
  test.each(['input', 'output'] as const)(
    'converts to JSON Schema for %s',
    (io) => {
      const { $schema, ...json } = z.toJSONSchema(schema, { io })
      expect(json).toEqual(io === 'input' ? expected : documented)
    },
  )

  test('reports one issue, which names both types and does not repeat the input, and for other values the one of zod', () => {
    const issuesOf = (value: unknown) => schema.safeParse(value).error?.issues
    const issue = {
      ...{ code: 'invalid_format', format: 'regex', origin: 'string' },
      pattern: expect.stringContaining('user-['),
      path: [],
    }
    const message = expect.stringMatching(/^Expected user-<lowercase uuid>/)
    expect(issuesOf('a secret')).toEqual([{ ...issue, message }])
    const both = 'Expected user, received team'
    expect(issuesOf(TeamId.example)).toEqual([{ ...issue, message: both }])
    expect(issuesOf(5)).toMatchObject([
      {
        code: 'invalid_type',
        message: 'Invalid input: expected string, received number',
      },
    ])
  })

  test('encodes an id to itself, and decodes it', () => {
    expect(z.encode(schema, UserId.example)).toBe(UserId.example)
    expect(z.decode(schema, UserId.example)).toBe(UserId.example)
    expect(() => z.encode(schema, TeamId.example as never)).toThrow(
      'Expected user, received team',
    )
  })
})

test('uuidOrIdSchema converts the bare UUID to the standard form, with upperCase in any case', () => {
  const uuid = UserId.toUuid(UserId.example)
  const schema = uuidOrIdSchema(UserId, { upperCase: true })
  for (const text of [uuid, uuid.toUpperCase(), UserId.example])
    expect(schema.parse(text)).toBe(UserId.example)
  expect(uuidOrIdSchema(UserId).parse(uuid)).toBe(UserId.example)
  expect(uuidOrIdSchema(UserId).safeParse(uuid.toUpperCase()).success).toBe(
    false,
  )
  expect(
    schema.safeParse(UserId.example.toUpperCase()).error?.issues,
  ).toMatchObject([{ message: 'Expected user-<lowercase uuid> or <uuid>' }])
  expect(z.toJSONSchema(schema, { io: 'input' }).pattern).toBe(
    uuidDocumented.pattern.replace(/(?<=\|.*)a-f/g, 'a-fA-F'),
  )
})

const SUBJECTS = idRegistry([UserId, TeamId])
const RENAMED = idRegistry([UserId, TeamId], { aliases: { account: UserId } })

describe('registrySchema', () => {
  const schema = registrySchema(SUBJECTS)

  test('names the types in the message for another id', () => {
    const messageOf = (value: string) =>
      schema.safeParse(value).error?.issues[0]?.message
    expect([defineId('order').example, 'x'].map(messageOf)).toEqual([
      'Expected user, team, received order',
      'Expected user-<lowercase uuid> or team-<lowercase uuid>',
    ])
  })

  test('converts to JSON Schema as anyOf the types, and earlier prefixes as deprecated strings', () => {
    const { $schema, ...team } = z.toJSONSchema(idSchema(TeamId))
    const anyOf = [documented, team]
    expect(z.toJSONSchema(schema)).toEqual({ $schema, anyOf })
    const renamed = registrySchema(RENAMED)
    expect(z.toJSONSchema(renamed)).toEqual({ $schema, anyOf })
    const pattern = defineId('account').pattern
    expect(z.toJSONSchema(renamed, { io: 'input' })).toEqual({
      $schema,
      anyOf: [...anyOf, { type: 'string', pattern, deprecated: true }],
    })
  })
})

test('uuidOrIdSchema accepts a TypeID with an underscore beside its UUID', () => {
  const LineId = defineTypeId('order_line')
  const uuid = LineId.toUuid(LineId.example)
  const schema = uuidOrIdSchema(LineId)
  for (const text of [LineId.example, uuid])
    expect(schema.parse(text)).toBe(LineId.example)
  expect(schema.safeParse(`id-${uuid}`).error?.issues).toMatchObject([
    { message: 'Expected order_line_<26 base32 digits> or <lowercase uuid>' },
  ])
})

test.each<[string, (options: IdSchemaOptions) => z.ZodType]>([
  ['Id', (options) => idSchema(UserId, options)],
  ['Short', (options) => shortIdSchema(UserId, options)],
  ['Either', (options) => eitherFormSchema(UserId, options)],
  ['UuidOrId', (options) => uuidOrIdSchema(UserId, options)],
  ['Subject', (options) => registrySchema(SUBJECTS, options)],
  ['Renamed', (options) => registrySchema(RENAMED, options)],
])(
  '%s: a named schema used twice in one document is one component, with its message',
  (id, create) => {
    const named = () => create({ id, error: 'no user' })
    expect(named()).toBe(named())
    expect(() => create({ id })).toThrow(
      new TypeError(`the schema ${id} exists with another error option`),
    )
    for (const value of ['x', 5])
      expect(named().safeParse(value).error?.issues).toMatchObject([
        { message: 'no user' },
      ])
    const document = z.object({ a: named(), b: named() })
    const input = z.toJSONSchema(document, { io: 'input' })
    const $ref = `#/$defs/${id}`
    expect(input.properties).toEqual({ a: { $ref }, b: { $ref } })
    // The output of a codec has another schema, so it has no name.
    const output = z.toJSONSchema(document).$defs?.[id]
    expect(output ?? input.$defs?.[id]).toEqual(input.$defs?.[id])
  },
)

test('schemas of two names, without a name, or of two kinds with one name are two schemas', () => {
  const id = 'OneName'
  const schemas: z.ZodType[] = [
    idSchema(UserId, { id }),
    idSchema(UserId, { id: 'AnotherName' }),
    idSchema(UserId),
    idSchema(UserId),
    shortIdSchema(UserId, { id }),
    eitherFormSchema(UserId, { id }),
    uuidOrIdSchema(UserId, { id }),
    uuidOrIdSchema(UserId, { id, upperCase: true }),
  ]
  expect(new Set(schemas).size).toBe(schemas.length)
})

test('a check that the caller adds runs for valid ids only', () => {
  const checked: string[] = []
  const schema = idSchema(UserId).refine((id) => checked.push(id) > 0)
  expect(schema.safeParse('nope').error?.issues).toHaveLength(1)
  expect(schema.parse(UserId.example)).toBe(UserId.example)
  expect(checked).toEqual([UserId.example])
})

describe('the message comes first from', () => {
  const { customError, localeError } = z.config()
  afterEach(() => void z.config({ customError, localeError }))
  const own = 'Expected user, received team'
  const messageOf = (schema: z.ZodType, error?: () => string | undefined) =>
    z
      .object({ id: schema })
      .safeParse({ id: TeamId.example }, error && { error }).error?.issues[0]
      ?.message

  test('the option error, a string or a function of the issue', () => {
    z.config({ customError: () => 'custom' })
    expect(
      messageOf(idSchema(UserId, { error: 'no user' }), () => 'parse'),
    ).toBe('no user')
    const paths: unknown[] = []
    const error = (issue: z.core.$ZodRawIssue) => void paths.push(issue.path)
    expect(messageOf(idSchema(UserId, { error }))).toBe('custom')
    expect(paths).toEqual([['id']])
  })

  test('z.config, then the library, as the error of a schema does in zod', () => {
    z.config({ customError: () => 'custom' })
    expect(messageOf(idSchema(UserId), () => 'parse')).toBe('custom')
    const error = () => undefined
    z.config({ customError: error })
    expect(messageOf(idSchema(UserId, { error }), () => 'parse')).toBe(own)
  })

  test('the library in any locale', () => {
    z.config(z.locales.de())
    for (const schema of [
      idSchema(UserId),
      shortIdSchema(UserId),
      eitherFormSchema(UserId),
      registrySchema(idRegistry([UserId])),
    ])
      expect(messageOf(schema)).toBe(own)
  })
})

test('an id is a string with a regular expression, which fakers read', () => {
  const { type, checks = [] } = (idSchema(UserId) as unknown as z.ZodString).def
  const patterns = checks.map(
    ({ _zod }) => (_zod.def as z.core.$ZodCheckRegexDef).pattern,
  )
  expect([type, patterns]).toEqual(['string', [expect.any(RegExp)]])
})

test('a template literal validates the id in it', () => {
  const schema = registrySchema(idRegistry([UserId, defineId('role')]))
  // @ts-expect-error the type of the schema has no `pattern`
  const key = z.templateLiteral(['cache:', schema, ':v1'])
  const accepts = (id: string) => key.safeParse(`cache:${id}:v1`).success
  expect([UserId.example, TeamId.example, ''].map(accepts)).toEqual([
    ...[true, false, false],
  ])
})

describe('shortIdSchema', () => {
  const schema = shortIdSchema(UserId)
  const short = UserId.toShort(UserId.example)

  test('accepts and returns the short form only', () => {
    expect(schema.parse(short)).toBe(short)
    expect(schema.safeParse(`team_${short.slice(5)}`).success).toBe(false)
    for (const value of ['a secret', UserId.example, `${short}0`])
      expect(schema.safeParse(value).error?.issues).toMatchObject([
        { code: 'invalid_format', message: 'Expected user_<26 base32 digits>' },
      ])
  })

  test('is not a TypeID if the prefix has digits or uppercase letters', () => {
    const json = z.toJSONSchema(shortIdSchema(defineId('orderLine2')))
    expect(json).not.toHaveProperty('x-typeid')
    expect(json['x-brand']).toBe('OrderLine2ShortId')
  })
})

test('Ajv in strict mode compiles each JSON Schema, once it knows the keywords that begin with x-', () => {
  const LineId = defineTypeId('order_line')
  const schemas = [
    [idSchema(UserId), UserId.example],
    [idSchema(LineId), LineId.example],
    [shortIdSchema(UserId), UserId.toShort(UserId.example)],
    [eitherFormSchema(UserId), UserId.toShort(UserId.example)],
    [uuidOrIdSchema(UserId), UserId.toUuid(UserId.example)],
    [registrySchema(idRegistry([UserId, LineId])), LineId.example],
  ] as const
  const keywords = ['x-typed-id', 'x-typeid', 'x-brand']
  for (const [schema, example] of schemas) {
    const { $schema, ...json } = z.toJSONSchema(schema, {
      io: 'input',
      target: 'draft-7',
    })
    const ajv = new Ajv({ strict: true }).addVocabulary(keywords)
    const validate = ajv.compile(json)
    expect(validate(example), JSON.stringify(json)).toBe(true)
    expect(validate(TeamId.example)).toBe(false)
    expect(JSON.stringify(json)).not.toMatch(/"(?:format|example)"/)
  }
})
