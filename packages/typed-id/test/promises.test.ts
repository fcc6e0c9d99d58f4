import { inspect } from 'node:util'
import { customType, pgTable } from 'drizzle-orm/pg-core'
import { describe, expect, test } from 'vitest'
import { idCodec } from '../src/codec.ts'
import { idColumn } from '../src/drizzle.ts'
import {
  type AnyIdType,
  defineId,
  type IdRegistry,
  type IdType,
  idRegistry,
  withJsonSchema,
} from '../src/index.ts'
import { defineTypeId } from '../src/typeid.ts'
import { eitherFormSchema, idSchema, registrySchema } from '../src/zod.ts'
import { WRONG } from './fuzz/values.ts'

/*
 * All functions that take the same kind of id, such as `parse`, `is` and
 * schemas, must accept the same values and return the same id.
 */

const UserId = defineId('user')
const LineId = defineTypeId('order_line')
const BareId = defineTypeId('')
const [id, line, bare] = [UserId.example, LineId.example, BareId.example]
const short = UserId.toShort(id)
const uuid = UserId.toUuid(id)

type Registry = IdRegistry<AnyIdType, string>
type Way = (value: unknown) => unknown

const idOf = (found: unknown) =>
  typeof found === 'string' ? found : (found as { id?: string } | undefined)?.id
const tried =
  (parse: Way): Way =>
  (value) => {
    try {
      return idOf(parse(value))
    } catch {
      return undefined
    }
  }
const judged =
  (is: (value: unknown) => boolean): Way =>
  (value) =>
    is(value) ? 'accepted' : undefined

const waysOf = (type: AnyIdType | Registry): Record<string, Way> => {
  const schema = 'types' in type ? registrySchema(type) : idSchema(type)
  const column = pgTable('t', { id: idColumn(customType, type)() }).id
  const { toDatabase, fromDatabase } = idCodec(type, 'text', 't.id')
  const notNull = (convert: (value: never) => unknown) =>
    tried((value) => convert((value ?? 0) as never))
  return {
    parse: tried(type.parse),
    safeParse: (value) => idOf(type.safeParse(value).data),
    is: judged(type.is),
    '~standard': (value) =>
      (type['~standard'].validate(value) as { value?: unknown }).value,
    'the schema of zod': (value) => schema.safeParse(value).data,
    'toDatabase of idCodec': notNull(toDatabase),
    'fromDatabase of idCodec': notNull(fromDatabase),
    'a column of Drizzle, written': notNull((value) =>
      column.mapToDriverValue(value),
    ),
    'a column of Drizzle, read': notNull((value) =>
      column.mapFromDriverValue(value),
    ),
  }
}

const eitherWaysOf = (type: IdType<string> | Registry) => ({
  parseEitherForm: tried(type.parseEitherForm),
  safeParseEitherForm: (value: unknown) =>
    idOf(type.safeParseEitherForm(value).data),
  isEitherForm: judged(type.isEitherForm),
  ...(!('types' in type) && {
    eitherFormSchema: (value: unknown) =>
      eitherFormSchema(type).safeParse(value).data,
  }),
})

const renamed = idRegistry<AnyIdType>([UserId, LineId, BareId], {
  aliases: { account: UserId, old_line: LineId, bare: BareId },
})
const oldId = `account-${uuid}`
const oldShort = `account_${short.slice(5)}`
const [oldLine, oldBare] = [`old_line_${bare}`, `bare_${bare}`]

const TABLE: readonly [
  name: string,
  ways: Record<string, Way>,
  accepted: Readonly<Record<string, string>>,
][] = [
  ['a type', waysOf(UserId), { [id]: id }],
  ['a type with JSON Schema', waysOf(withJsonSchema(UserId)), { [id]: id }],
  ['a type of TypeIDs', waysOf(LineId), { [line]: line }],
  ['a type of TypeIDs without a prefix', waysOf(BareId), { [bare]: bare }],
  [
    'a registry',
    waysOf(idRegistry([UserId, LineId, BareId])),
    { [id]: id, [line]: line, [bare]: bare },
  ],
  [
    'a registry with aliases',
    waysOf(renamed),
    {
      ...{ [id]: id, [line]: line, [bare]: bare },
      ...{ [oldId]: id, [oldLine]: line, [oldBare]: bare },
    },
  ],
  ['a type, either form', eitherWaysOf(UserId), { [id]: id, [short]: id }],
  [
    'a registry with aliases, either form',
    eitherWaysOf(renamed),
    {
      ...{ [id]: id, [short]: id, [line]: line, [bare]: bare },
      ...{ [oldId]: id, [oldShort]: id, [oldLine]: line, [oldBare]: bare },
    },
  ],
]
const VALID = [id, short, line, bare, oldId, oldShort, oldLine, oldBare]
const VALUES = [...VALID, ...WRONG].map(
  (value) => [value, inspect(value).slice(0, 80)] as const,
)

describe.each(TABLE)('%s', (_, ways, accepted) => {
  test.each(Object.entries(ways))(
    'accepts its ids by %s, and nothing else',
    (_, way) => {
      for (const [value, shown] of VALUES) {
        const expected = typeof value === 'string' ? accepted[value] : undefined
        const found = way(value)
        expect(found === 'accepted' ? expected : found, shown).toBe(expected)
        expect(found !== undefined, shown).toBe(expected !== undefined)
      }
    },
  )
})
